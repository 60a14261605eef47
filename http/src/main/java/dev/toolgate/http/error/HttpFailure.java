package dev.toolgate.http.error;

import dev.toolgate.core.call.ErrorCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Ends a request with an error; the message is one sentence for the client. */
public class HttpFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final ErrorCode code;
    private final transient Map<String, String> headers;
    private final transient ObjectNode details;
    private final @Nullable Duration retryAfter;
    private final @Nullable String advice;

    public HttpFailure(int status, ErrorCode code, String message, Map<String, String> headers, ObjectNode details) {
        this(status, code, message, headers, details, null, null);
    }

    private HttpFailure(
            int status,
            ErrorCode code,
            String message,
            Map<String, String> headers,
            ObjectNode details,
            @Nullable Duration retryAfter,
            @Nullable String advice) {
        super(message, null, false, false); // a response, not a bug: no stack trace needed
        this.status = status;
        this.code = code;
        this.headers = Map.copyOf(headers);
        this.details = details;
        this.retryAfter = retryAfter;
        this.advice = advice;
    }

    public HttpFailure(int status, ErrorCode code, String message) {
        this(status, code, message, Map.of(), JsonNodeFactory.instance.objectNode());
    }

    /** A failure with the status of its error code. */
    public static HttpFailure of(ErrorCode code, String message) {
        return new HttpFailure(code.httpStatus(), code, message);
    }

    /** 404. */
    public static HttpFailure notFound(String message) {
        return new HttpFailure(404, ErrorCode.INVALID_REQUEST, message);
    }

    /** 409. */
    public static HttpFailure conflict(String message) {
        return new HttpFailure(409, ErrorCode.INVALID_REQUEST, message);
    }

    /** 401: the request is not authenticated. */
    public static HttpFailure unauthorized(String message) {
        return new HttpFailure(
                401,
                ErrorCode.UNAUTHORIZED,
                message,
                Map.of("WWW-Authenticate", "Bearer"),
                JsonNodeFactory.instance.objectNode());
    }

    /** 429: too many failed authentications; the credentials were not checked. */
    public static HttpFailure slowedDown(Duration retryAfter) {
        return rateLimited("Too many wrong credentials came from this address; wait before trying again.", retryAfter);
    }

    /** 429. */
    public static HttpFailure rateLimited(String message, Duration retryAfter) {
        return of(ErrorCode.RATE_LIMITED, message).withRetryAfter(retryAfter);
    }

    /** 503. */
    public static HttpFailure unavailable(String message) {
        return of(ErrorCode.SERVICE_UNAVAILABLE, message).withRetryAfter(RetryAfterHeader.DEFAULT);
    }

    /** The same failure with a time to wait before retrying; {@code null} if unknown. */
    public HttpFailure withRetryAfter(@Nullable Duration wait) {
        return new HttpFailure(status, code, String.valueOf(getMessage()), headers, details, wait, advice);
    }

    /** The same failure with its own remediation, where that of its code would mislead. */
    public HttpFailure withAdvice(String newAdvice) {
        return new HttpFailure(status, code, String.valueOf(getMessage()), headers, details, retryAfter, newAdvice);
    }

    /** The same failure with another message. */
    public HttpFailure withMessage(String newMessage) {
        return new HttpFailure(status, code, newMessage, headers, details, retryAfter, advice);
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The error code. */
    public ErrorCode code() {
        return code;
    }

    /** How long to wait before retrying; {@code null} if unknown. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** The response headers. */
    public Map<String, String> headers() {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(RetryAfterHeader.of(retryAfter));
        return all;
    }

    public HttpError error(String correlationId) {
        return new HttpError(status, code, String.valueOf(getMessage()), correlationId, details, advice);
    }
}
