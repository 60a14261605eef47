package dev.toolgate.client;

/** The call has not ended within the time to wait. It stays open; {@link Toolgate#collect} gets its outcome. */
public final class ApprovalPendingException extends ToolgateException {
    private final transient Outcome.Pending pending;

    /** The pending call as an exception. */
    public ApprovalPendingException(Outcome.Pending pending) {
        super(
                "APPROVAL_PENDING",
                "Call '" + pending.requestId() + "' is still " + pending.status() + ".",
                "Collect its outcome later by its request id.",
                true,
                pending.correlationId());
        this.pending = pending;
    }

    /** The call, with its request id and the approval it waits for. */
    public Outcome.Pending pending() {
        return pending;
    }
}
