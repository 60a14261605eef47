package dev.toolgate.client;

/**
 * The gate could not be reached, or its answer was lost. Whether the request was carried out is unknown, unless it has
 * an id.
 */
public final class ConnectionFailedException extends ToolgateException {
    ConnectionFailedException(String message, Throwable cause) {
        super(
                "CONNECTION_FAILED",
                message,
                "Check that the gate is running and its address is right; a call sent again under the same request id runs"
                        + " once.",
                true,
                null);
        initCause(cause);
    }
}
