package dev.toolgate.core.call;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a call did not succeed, in words its caller can act on.
 *
 * @param details structured facts for programs, for example {@code retryAfterSeconds}
 * @param partial what the tool had produced before it failed
 */
public record Failure(
        ErrorCode code,
        String message,
        Map<String, Object> details,
        @Nullable Output partial) {
    public Failure {
        details = Map.copyOf(details);
    }

    public static Failure of(ErrorCode code, String message) {
        return new Failure(code, message, Map.of(), null);
    }

    /** The same failure, with its message in other words. */
    public Failure saying(String newMessage) {
        return new Failure(code, newMessage, details, partial);
    }

    /** The same failure, with other partial output. */
    public Failure leaving(@Nullable Output newPartial) {
        return new Failure(code, message, details, newPartial);
    }
}
