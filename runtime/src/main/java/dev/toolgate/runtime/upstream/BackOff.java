package dev.toolgate.runtime.upstream;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before reconnecting to a server, by the number of consecutive failures.
 *
 * @param first the wait after the second failure; doubled with every further one
 * @param max the longest wait
 */
record BackOff(Duration first, Duration max) {
    static final BackOff DEFAULT = new BackOff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private static final int MAX_DOUBLINGS = 20;

    /** No wait after the first failure: a server that was just restarted is available again at once. */
    Duration after(int failures) {
        if (failures <= 1) {
            return Duration.ZERO;
        }
        Duration wait = first.multipliedBy(1L << Math.min(failures - 2, MAX_DOUBLINGS));
        long nanos = (wait.compareTo(max) < 0 ? wait : max).toNanos();
        // Up to a fifth less, so that many gates do not reconnect at the same moment.
        return Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 5 + 1));
    }
}
