package dev.toolgate.http.error;

import dev.toolgate.core.call.ErrorCode;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Ends a request with an error; its message is one sentence for whoever sent it. */
public class HttpFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final ErrorCode code;
    private final transient Map<String, String> headers;
    private final transient ObjectNode details;
    private final @Nullable String advice;

    public HttpFailure(int status, ErrorCode code, String message, Map<String, String> headers, ObjectNode details) {
        this(status, code, message, headers, details, null);
    }

    private HttpFailure(
            int status,
            ErrorCode code,
            String message,
            Map<String, String> headers,
            ObjectNode details,
            @Nullable String advice) {
        super(message, null, false, false); // an answer, not a defect: nobody reads its stack
        this.status = status;
        this.code = code;
        this.headers = Map.copyOf(headers);
        this.details = details;
        this.advice = advice;
    }

    public HttpFailure(int status, ErrorCode code, String message) {
        this(status, code, message, Map.of(), JsonNodeFactory.instance.objectNode());
    }

    /** A failure with the status that the table of error codes gives it. */
    public static HttpFailure of(ErrorCode code, String message) {
        return new HttpFailure(code.httpStatus(), code, message);
    }

    /** What the path names does not exist. */
    public static HttpFailure notFound(String message) {
        return new HttpFailure(404, ErrorCode.INVALID_REQUEST, message);
    }

    /** What was asked for contradicts what is there. */
    public static HttpFailure conflict(String message) {
        return new HttpFailure(409, ErrorCode.INVALID_REQUEST, message);
    }

    /** Nobody can tell who sent the request. */
    public static HttpFailure unauthorized(String message) {
        return new HttpFailure(
                401,
                ErrorCode.UNAUTHORIZED,
                message,
                Map.of("WWW-Authenticate", "Bearer"),
                JsonNodeFactory.instance.objectNode());
    }

    /** Too many wrong credentials; nothing was looked at. */
    public static HttpFailure slowedDown(Duration retryAfter) {
        return rateLimited("Too many wrong credentials came from this address; wait before trying again.", retryAfter);
    }

    /** Too many requests; worth another try after a while. */
    public static HttpFailure rateLimited(String message, Duration retryAfter) {
        return later(429, ErrorCode.RATE_LIMITED, message, retryAfter);
    }

    /** Not now; worth another try after a second. */
    public static HttpFailure unavailable(String message) {
        return later(503, ErrorCode.SERVICE_UNAVAILABLE, message, Duration.ofSeconds(1));
    }

    private static HttpFailure later(int status, ErrorCode code, String message, Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new HttpFailure(
                status,
                code,
                message,
                Map.of("Retry-After", Long.toString(seconds)),
                JsonNodeFactory.instance.objectNode());
    }

    /** The same failure with a sentence of its own that says what to do, where that of its code would mislead. */
    public HttpFailure advising(String newAdvice) {
        return new HttpFailure(status, code, String.valueOf(getMessage()), headers, details, newAdvice);
    }

    /** The same failure in other words. */
    public HttpFailure saying(String newMessage) {
        return new HttpFailure(status, code, newMessage, headers, details, advice);
    }

    /** The HTTP status to answer with. */
    public int status() {
        return status;
    }

    /** The kind of error. */
    public ErrorCode code() {
        return code;
    }

    /** Headers of the answer. */
    public Map<String, String> headers() {
        return headers;
    }

    public HttpError error(String correlationId) {
        return new HttpError(status, code, String.valueOf(getMessage()), correlationId, details, advice);
    }
}
