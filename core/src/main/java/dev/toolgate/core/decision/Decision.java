package dev.toolgate.core.decision;

import dev.toolgate.core.call.ErrorCode;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A rule's decision about a call. Of several, the strictest wins. */
public sealed interface Decision {
    /** The call is allowed. */
    record Allow() implements Decision {}

    /**
     * The call needs a person's approval.
     *
     * @param causes why, at least one
     */
    record NeedsApproval(List<Cause> causes) implements Decision {
        public NeedsApproval {
            causes = List.copyOf(causes);
        }

        /** For one reason. */
        public NeedsApproval(String reason, @Nullable String approvalRuleId) {
            this(List.of(new Cause(reason, approvalRuleId)));
        }

        /** All reasons as text. */
        public String reason() {
            return causes.stream().map(Cause::reason).distinct().collect(Collectors.joining("; "));
        }

        /** The first approval rule among the causes; {@code null} if there is none. */
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
     * Why approval is needed.
     *
     * @param approvalRuleId the rule of the session's policy that requires it, if any
     */
    record Cause(String reason, @Nullable String approvalRuleId) {}

    /** The call is denied. */
    record Deny(ErrorCode code, String reason) implements Decision {}

    static Decision allow() {
        return new Allow();
    }

    /** The stricter of two decisions; of two denials the first; two approvals are merged with the causes of both. */
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
