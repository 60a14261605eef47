package dev.toolgate.runtime.upstream;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long a server is left alone after failures in a row.
 *
 * @param first the shortest wait
 * @param max the longest
 */
record BackOff(Duration first, Duration max) {
    static final BackOff DEFAULT = new BackOff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private static final int MAX_DOUBLINGS = 20;

    /** The first failure costs no wait: a server that has just been restarted is there again at once. */
    Duration after(int failures) {
        if (failures <= 1) {
            return Duration.ZERO;
        }
        Duration wait = first.multipliedBy(1L << Math.min(failures - 2, MAX_DOUBLINGS));
        long nanos = (wait.compareTo(max) < 0 ? wait : max).toNanos();
        // Up to a fifth less, so that many gates do not come back at the same moment.
        return Duration.ofNanos(nanos - ThreadLocalRandom.current().nextLong(nanos / 5 + 1));
    }
}
