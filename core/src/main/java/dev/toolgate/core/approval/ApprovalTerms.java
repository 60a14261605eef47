package dev.toolgate.core.approval;

/**
 * Whose yes a held call needs, fixed when the question is put.
 *
 * @param approvers how many different people must say yes
 */
public record ApprovalTerms(Approver approver, int approvers) {
    /** One yes, of anybody who may answer. */
    public static final ApprovalTerms ONE_YES = new ApprovalTerms(Approver.ANYBODY, 1);

    public ApprovalTerms {
        if (approvers < 1) {
            throw new IllegalArgumentException("A question needs at least one yes.");
        }
    }

    /** Who may approve, among those with the right to answer. */
    public enum Approver {
        ANYBODY,
        /** Not the key or person that made the call: four eyes have seen it. */
        NOT_THE_CALLER
    }
}
