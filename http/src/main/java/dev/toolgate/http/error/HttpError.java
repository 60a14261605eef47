package dev.toolgate.http.error;

import dev.toolgate.core.call.ErrorCode;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An error about to be written.
 *
 * @param status the HTTP status, which may differ from the code's: 413 is an invalid request, too
 * @param details structured facts; may be empty
 * @param advice overrides the remediation of code and status; {@code null} for none
 */
public record HttpError(
        int status,
        ErrorCode code,
        String message,
        String correlationId,
        ObjectNode details,
        @Nullable String advice) {

    /** The remediation of a 404 for which the code has none of its own. */
    public static final String CHECK_PATH = "Check the path and the ids in it.";

    /** What to do about it, in one sentence. */
    public String remediation() {
        if (advice != null) {
            return advice;
        }
        return switch (status) {
            case 404 -> code.httpStatus() == status ? code.remediation() : CHECK_PATH;
            case 405 -> "Use one of the methods in the Allow header.";
            case 408 -> "Send the whole request without long pauses.";
            case 413 -> code.httpStatus() == status ? code.remediation() : "Send a smaller body.";
            case 414, 431 -> "Send a shorter address and fewer or smaller headers.";
            case 415 -> "Send the body as application/json in UTF-8.";
            default -> code.remediation();
        };
    }

    /** Whether the same request may succeed later. */
    public boolean retryable() {
        return code.retryable() || status == 408;
    }
}
