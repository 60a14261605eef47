package dev.toolgate.http.error;

import dev.toolgate.core.call.ErrorCode;

/** The request is invalid; the message names the invalid part. */
public final class BadRequest extends HttpFailure {
    private static final long serialVersionUID = 1L;

    public BadRequest(String message) {
        super(400, ErrorCode.INVALID_REQUEST, message);
    }
}
