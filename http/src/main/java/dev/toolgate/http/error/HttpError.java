package dev.toolgate.http.error;

import dev.toolgate.core.call.ErrorCode;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An error about to be written.
 *
 * @param status the HTTP status, which is not always that of the code: 413 is an invalid request, too
 * @param details more for programs to read; empty if there is none
 * @param advice what to do about this very error; {@code null} where the code and the status say enough
 */
public record HttpError(
        int status,
        ErrorCode code,
        String message,
        String correlationId,
        ObjectNode details,
        @Nullable String advice) {

    /** What to do about it, in one sentence. */
    public String remediation() {
        if (advice != null) {
            return advice;
        }
        return switch (status) {
            case 404 -> code.httpStatus() == status ? code.remediation() : "Check the path and the ids in it.";
            case 405 -> "Use one of the methods in the Allow header.";
            case 408 -> "Send the whole request without long pauses.";
            case 413 -> code.httpStatus() == status ? code.remediation() : "Send a smaller body.";
            case 414, 431 -> "Send a shorter address and fewer or smaller headers.";
            case 415 -> "Send the body as application/json in UTF-8.";
            default -> code.remediation();
        };
    }

    /** Whether the very same request may succeed later. */
    public boolean retryable() {
        return code.retryable() || status == 408;
    }
}
