package dev.toolgate.http.error;

import dev.toolgate.core.call.ErrorCode;
import java.time.Duration;
import java.util.HashMap;
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
        super(message, null, false, false); // an answer, not a defect: nobody reads its stack
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
        return of(ErrorCode.RATE_LIMITED, message).retryingAfter(retryAfter);
    }

    /** Not now; worth another try after a second. */
    public static HttpFailure unavailable(String message) {
        return of(ErrorCode.SERVICE_UNAVAILABLE, message).retryingAfter(RetryAfterHeader.SOON);
    }

    /** The same failure, worth another try after this time; {@code null} if that is not known. */
    public HttpFailure retryingAfter(@Nullable Duration wait) {
        return new HttpFailure(status, code, String.valueOf(getMessage()), headers, details, wait, advice);
    }

    /** The same failure with a sentence of its own that says what to do, where that of its code would mislead. */
    public HttpFailure advising(String newAdvice) {
        return new HttpFailure(status, code, String.valueOf(getMessage()), headers, details, retryAfter, newAdvice);
    }

    /** The same failure in other words. */
    public HttpFailure saying(String newMessage) {
        return new HttpFailure(status, code, newMessage, headers, details, retryAfter, advice);
    }

    /** The HTTP status to answer with. */
    public int status() {
        return status;
    }

    /** The kind of error. */
    public ErrorCode code() {
        return code;
    }

    /** After what time the request is worth another try; {@code null} if that is not known. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** Headers of the answer. */
    public Map<String, String> headers() {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(RetryAfterHeader.of(retryAfter));
        return all;
    }

    public HttpError error(String correlationId) {
        return new HttpError(status, code, String.valueOf(getMessage()), correlationId, details, advice);
    }
}
