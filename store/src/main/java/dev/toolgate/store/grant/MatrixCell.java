package dev.toolgate.store.grant;

import dev.toolgate.core.decision.GrantState;

/**
 * What an agent may do with a tool, and where that comes from.
 *
 * @param end whether a permission that is valid now ends soon
 */
public record MatrixCell(State state, Origin origin, End end) {
    /** A cell without any permission. */
    public static final MatrixCell UNSET = new MatrixCell(State.UNSET, Origin.NONE, End.NOT_SOON);

    /** The state of a cell: that of its grants, or a refusal, which overrides them. */
    public enum State {
        UNSET,
        REFUSED,
        EXPIRED,
        USED_UP,
        CONDITIONAL,
        CONDITIONAL_WITH_APPROVAL,
        NEEDS_APPROVAL,
        APPROVAL_ON_CONDITION,
        ALLOWED;

        static State of(GrantState grants) {
            return switch (grants) {
                case NOT_GRANTED -> UNSET;
                case EXPIRED -> EXPIRED;
                case USED_UP -> USED_UP;
                case CONDITIONAL -> CONDITIONAL;
                case CONDITIONAL_WITH_APPROVAL -> CONDITIONAL_WITH_APPROVAL;
                case NEEDS_APPROVAL -> NEEDS_APPROVAL;
                case APPROVAL_ON_CONDITION -> APPROVAL_ON_CONDITION;
                case ALLOWED -> ALLOWED;
            };
        }
    }

    /** The source of the permission: the agent's own if it contributes, otherwise only a group's. */
    public enum Origin {
        NONE,
        OWN,
        GROUP
    }

    /** Whether a permission ends soon. */
    public enum End {
        NOT_SOON,
        SOON
    }
}
