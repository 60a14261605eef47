package dev.toolgate.client;

/** The gate allowed the call, and the tool failed. */
public final class ToolFailedException extends ToolgateException {
    private final transient Outcome.Failed failed;

    /** The failure as an exception. */
    public ToolFailedException(Outcome.Failed failed) {
        super(
                failed.error().code(),
                failed.error().message(),
                failed.error().remediation(),
                failed.error().retryable(),
                failed.correlationId());
        this.failed = failed;
    }

    /** The failure, with the partial output of the tool. */
    public Outcome.Failed failed() {
        return failed;
    }
}
