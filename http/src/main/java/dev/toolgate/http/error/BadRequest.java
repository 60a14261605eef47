package dev.toolgate.http.error;

import dev.toolgate.core.call.ErrorCode;

/** The request makes no sense; the message names the part that does not. */
public final class BadRequest extends HttpFailure {
    private static final long serialVersionUID = 1L;

    public BadRequest(String message) {
        super(400, ErrorCode.INVALID_REQUEST, message);
    }
}
