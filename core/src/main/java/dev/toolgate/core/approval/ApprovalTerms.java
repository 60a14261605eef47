package dev.toolgate.core.approval;

/**
 * Who must approve a held call, fixed when approval is requested.
 *
 * @param approvers how many different people must approve
 */
public record ApprovalTerms(Approver approver, int approvers) {
    /** One yes from anyone with the right to approve. */
    public static final ApprovalTerms ONE_YES = new ApprovalTerms(Approver.ANYBODY, 1);

    public ApprovalTerms {
        if (approvers < 1) {
            throw new IllegalArgumentException("An approval needs at least one approver.");
        }
    }

    /** Who may approve, among those with the right to. */
    public enum Approver {
        ANYBODY,
        /** Anyone but the principal that made the call (four-eyes principle). */
        NOT_THE_CALLER
    }
}
