package dev.toolgate.core.decision;

import dev.toolgate.core.call.ErrorCode;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a rule says about a call. The strictest of several wins. */
public sealed interface Decision {
    /** The call may go on. */
    record Allow() implements Decision {}

    /**
     * The call may go on once a person has said yes.
     *
     * @param causes every reason for which they are asked, at least one
     */
    record NeedsApproval(List<Cause> causes) implements Decision {
        public NeedsApproval {
            causes = List.copyOf(causes);
        }

        /** For one reason. */
        public NeedsApproval(String reason, @Nullable String approvalRuleId) {
            this(List.of(new Cause(reason, approvalRuleId)));
        }

        /** All reasons, for people to read. */
        public String reason() {
            return causes.stream().map(Cause::reason).distinct().collect(Collectors.joining("; "));
        }

        /** The first rule that is named; {@code null} if none is. */
        public @Nullable String approvalRuleId() {
            return causes.stream()
                    .map(Cause::approvalRuleId)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }

        private NeedsApproval and(NeedsApproval other) {
            return new NeedsApproval(Stream.concat(causes.stream(), other.causes.stream())
                    .distinct()
                    .toList());
        }
    }

    /**
     * Why a person is asked.
     *
     * @param approvalRuleId the rule of the session's policy that wants it, if one does
     */
    record Cause(String reason, @Nullable String approvalRuleId) {}

    /** The call may not go on. */
    record Deny(ErrorCode code, String reason) implements Decision {}

    static Decision allow() {
        return new Allow();
    }

    /** The stricter of two decisions; of two refusals the first, of two that ask both, with the reasons of both. */
    default Decision and(Decision other) {
        if (this instanceof NeedsApproval needed && other instanceof NeedsApproval too) {
            return needed.and(too);
        }
        return other.strictness() > strictness() ? other : this;
    }

    private int strictness() {
        return switch (this) {
            case Allow allow -> 0;
            case NeedsApproval needed -> 1;
            case Deny deny -> 2;
        };
    }
}
