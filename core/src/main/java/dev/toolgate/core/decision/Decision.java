package dev.toolgate.core.decision;

import dev.toolgate.core.call.ErrorCode;
import org.jspecify.annotations.Nullable;

/** What a rule says about a call. The strictest of several wins. */
public sealed interface Decision {
    /** The call may go on. */
    record Allow() implements Decision {}

    /** The call may go on once a person has said yes. */
    record NeedsApproval(String reason, @Nullable String approvalRuleId) implements Decision {}

    /** The call may not go on. */
    record Deny(ErrorCode code, String reason) implements Decision {}

    static Decision allow() {
        return new Allow();
    }

    /** The stricter of two decisions; of two that are equally strict the first, unless only the other names its rule. */
    default Decision and(Decision other) {
        return other.strictness() > strictness()
                        || (other.strictness() == strictness() && isWithoutRule(this) && !isWithoutRule(other))
                ? other
                : this;
    }

    private static boolean isWithoutRule(Decision decision) {
        return decision instanceof NeedsApproval needed && needed.approvalRuleId() == null;
    }

    private int strictness() {
        return switch (this) {
            case Allow allow -> 0;
            case NeedsApproval needed -> 1;
            case Deny deny -> 2;
        };
    }
}
