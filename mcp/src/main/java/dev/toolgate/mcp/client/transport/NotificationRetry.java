package dev.toolgate.mcp.client.transport;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When a stream of notifications that has ended is opened again, and when a session that was lost is set up again. */
public final class NotificationRetry {
    private static final Duration MIN_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofMinutes(1);
    private static final Duration REFUSED_PAUSE = Duration.ofMinutes(15);
    private static final int MAX_DOUBLINGS = 6;

    private NotificationRetry() {}

    /**
     * The pause after a failure; null if there is no point in opening the stream again.
     *
     * @param failures how many there were in succession, including this one
     */
    public static @Nullable Duration after(McpFailureKind failure, int failures) {
        return switch (failure) {
            case TOO_LARGE, TIMEOUT, CONNECTION_LOST, UNREACHABLE, CREDENTIALS_UNAVAILABLE, SESSION_LOST, HTTP_STATUS ->
                growing(MIN_PAUSE, failures);
            // Each attempt may cost requests to the issuer as well, and credentials seldom become valid by themselves.
            case UNAUTHORIZED, ADDRESS_REFUSED -> REFUSED_PAUSE;
            case SERVER_ERROR, CANCELLED, NOT_SENT, INPUT_REFUSED, INVALID_ANSWER -> null;
        };
    }

    /**
     * The pause after the server has ended or refused a stream, or could not set up a session.
     *
     * @param asked how long the server asks to wait; zero if it does not
     */
    public static Duration growing(Duration asked, int failures) {
        Duration least = asked.compareTo(MIN_PAUSE) > 0 ? asked : MIN_PAUSE;
        Duration pause = least.multipliedBy(1L << Math.clamp(failures - 1L, 0, MAX_DOUBLINGS));
        return pause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause;
    }
}
