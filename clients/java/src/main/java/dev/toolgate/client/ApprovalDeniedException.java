package dev.toolgate.client;

/** A person refused the call. */
public final class ApprovalDeniedException extends DeniedException {
    /** The refusal as an exception. */
    public ApprovalDeniedException(Outcome.Denied denied) {
        super(denied);
    }
}
