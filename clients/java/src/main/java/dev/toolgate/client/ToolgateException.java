package dev.toolgate.client;

import org.jspecify.annotations.Nullable;

/** An error of the gate, or of the connection to it, instead of an outcome. */
public class ToolgateException extends RuntimeException {
    private final String code;
    private final String remediation;
    private final boolean retryable;
    private final @Nullable String correlationId;

    /**
     * An error.
     *
     * @param code the error code, such as {@code REQUEST_ID_TAKEN}
     * @param message what happened
     * @param remediation what to do
     * @param retryable whether the same request may succeed later
     * @param correlationId the id of the request in the server's log
     */
    public ToolgateException(
            String code, String message, String remediation, boolean retryable, @Nullable String correlationId) {
        super(message);
        this.code = code;
        this.remediation = remediation;
        this.retryable = retryable;
        this.correlationId = correlationId;
    }

    /** The error code, such as {@code REQUEST_ID_TAKEN}; codes of later servers are kept as they are. */
    public String code() {
        return code;
    }

    /** What to do about it. */
    public String remediation() {
        return remediation;
    }

    /** Whether the same request may succeed later. */
    public boolean retryable() {
        return retryable;
    }

    /** The id of the request in the server's log; null if no server was reached. */
    public @Nullable String correlationId() {
        return correlationId;
    }
}
