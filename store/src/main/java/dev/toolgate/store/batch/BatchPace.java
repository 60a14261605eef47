package dev.toolgate.store.batch;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Tuning, not correctness: the least time from one batch to the next, so that a crowd shares few large batches. Who comes
 * alone does not wait. Decision 14 has the measurements. Used by one thread.
 */
public final class BatchPace {
    private final long nanos;
    private long last;

    private BatchPace(Duration least) {
        this.nanos = least.toNanos();
        this.last = System.nanoTime() - nanos;
    }

    /** A batch as soon as the one before is done. */
    public static BatchPace unlimited() {
        return new BatchPace(Duration.ZERO);
    }

    public static BatchPace of(Duration least) {
        return new BatchPace(least);
    }

    /** Waits until it is time for the next batch. */
    void awaitTurn() {
        if (nanos > 0) {
            LockSupport.parkNanos(last + nanos - System.nanoTime());
            last = System.nanoTime();
        }
    }
}
