package dev.toolgate.store.audit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Tuning, not correctness: the least time from one batch to the next, so that a crowd shares few large batches. Who comes
 * alone does not wait. Decision 14 has the measurements. Used by one thread.
 */
final class Pace {
    private final long nanos;
    private long last;

    private Pace(Duration least) {
        this.nanos = least.toNanos();
        this.last = System.nanoTime() - nanos;
    }

    /** A batch as soon as the one before is done. */
    static Pace unlimited() {
        return new Pace(Duration.ZERO);
    }

    static Pace of(Duration least) {
        return new Pace(least);
    }

    /** Waits until it is time for the next batch. */
    void awaitTurn() {
        if (nanos > 0) {
            LockSupport.parkNanos(last + nanos - System.nanoTime());
            last = System.nanoTime();
        }
    }
}
