package dev.toolgate.core.call;

import java.time.Duration;

/** Converts a wait for clients: whole seconds, rounded up, at least one. */
public final class RetryDelay {
    private RetryDelay() {}

    /** The seconds; fractions of a millisecond are dropped. */
    public static long seconds(Duration wait) {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }
}
