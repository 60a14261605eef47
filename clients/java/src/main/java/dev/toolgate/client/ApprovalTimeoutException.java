package dev.toolgate.client;

/** Nobody answered the approval request in time. */
public final class ApprovalTimeoutException extends DeniedException {
    /** The refusal as an exception. */
    public ApprovalTimeoutException(Outcome.Denied denied) {
        super(denied);
    }
}
