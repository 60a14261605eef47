package dev.toolgate.core.decision;

import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.decision.Grants.Uses;
import java.time.Instant;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The combined effect of an agent's grants of a tool before the arguments of a call are known, ordered by how much they
 * deny, most first.
 */
public enum GrantState {
    /** There is no grant, so every call is denied. */
    NOT_GRANTED,
    /** Every grant has expired, so every call is denied. */
    EXPIRED,
    /** No grant has uses left, so every call is denied. */
    USED_UP,
    /** Calls that meet a condition are allowed, the others are denied. */
    CONDITIONAL,
    /** Some calls that meet a condition need approval; those that meet none are denied. */
    CONDITIONAL_WITH_APPROVAL,
    /** Every call needs approval. */
    NEEDS_APPROVAL,
    /** No call is denied; those that meet a condition need approval. */
    APPROVAL_ON_CONDITION,
    /** Every call is allowed. */
    ALLOWED;

    /**
     * The state of an agent's grants of a tool.
     *
     * @param usesLeft the remaining uses of a counted grant
     */
    public static GrantState of(List<Grant> grants, Instant now, ToIntFunction<Uses> usesLeft) {
        GrantState ended = NOT_GRANTED;
        boolean conditional = false;
        boolean unconditional = false;
        boolean conditionalApproval = false;
        for (Grant grant : grants) {
            if (grant.hasExpired(now)) {
                ended = ended == USED_UP ? USED_UP : EXPIRED;
            } else if (grant.uses() != null && usesLeft.applyAsInt(grant.uses()) < 1) {
                ended = USED_UP;
            } else if (grant.condition() != null) {
                conditional = true;
                conditionalApproval |= grant.approval() == Approval.REQUIRED;
            } else if (grant.approval() == Approval.REQUIRED) {
                return NEEDS_APPROVAL; // a grant that requires approval prevails over one that does not
            } else {
                unconditional = true;
            }
        }
        if (unconditional) {
            return conditionalApproval ? APPROVAL_ON_CONDITION : ALLOWED;
        }
        if (conditional) {
            return conditionalApproval ? CONDITIONAL_WITH_APPROVAL : CONDITIONAL;
        }
        return ended;
    }

    /** Whether there are calls that are not denied. */
    public boolean isLive() {
        return compareTo(CONDITIONAL) >= 0;
    }
}
