package dev.toolgate.core.call;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a call did not succeed, in words its caller can act on.
 *
 * @param details structured facts for programs, for example {@code exitCode}
 * @param retryAfter how long to wait before retrying, if known
 * @param partial what the tool had produced before it failed
 */
public record Failure(
        ErrorCode code,
        String message,
        Map<String, Object> details,
        @Nullable Duration retryAfter,
        @Nullable Output partial) {
    /** The key of the wait in {@link #facts}. */
    static final String RETRY_AFTER_SECONDS = "retryAfterSeconds";

    public Failure {
        details = Map.copyOf(details);
    }

    public static Failure of(ErrorCode code, String message) {
        return new Failure(code, message, Map.of(), null, null);
    }

    /** The same failure with another message. */
    public Failure withMessage(String newMessage) {
        return new Failure(code, newMessage, details, retryAfter, partial);
    }

    /** The same failure with other details. */
    public Failure withDetails(Map<String, Object> newDetails) {
        return new Failure(code, message, newDetails, retryAfter, partial);
    }

    /** The same failure with a time to wait before retrying. */
    public Failure withRetryAfter(Duration wait) {
        return new Failure(code, message, details, wait, partial);
    }

    /** The same failure with other partial output. */
    public Failure withPartial(@Nullable Output newPartial) {
        return new Failure(code, message, details, retryAfter, newPartial);
    }

    /** The details as sent to clients, including the wait in whole seconds as {@code retryAfterSeconds}. */
    public Map<String, Object> facts() {
        if (retryAfter == null) {
            return details;
        }
        Map<String, Object> facts = new HashMap<>(details);
        facts.put(RETRY_AFTER_SECONDS, RetryDelay.seconds(retryAfter));
        return facts;
    }
}
