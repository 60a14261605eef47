package dev.toolgate.core.call;

import java.time.Duration;

/** How a time to wait is told to clients: in whole seconds, rounded up, at least one. */
public final class RetryDelay {
    private RetryDelay() {}

    /** The seconds to tell; a part of a millisecond does not make one more. */
    public static long seconds(Duration wait) {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }
}
