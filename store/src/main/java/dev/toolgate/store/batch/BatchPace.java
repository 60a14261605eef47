package dev.toolgate.store.batch;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Tuning, not correctness: a minimum interval between batches, so that many callers share few large batches. A single
 * caller does not wait. Decision 14 has the measurements. Used by one thread at a time.
 */
public final class BatchPace {
    private final Supplier<Duration> minInterval;
    private long last;

    private BatchPace(Supplier<Duration> minInterval) {
        this.minInterval = minInterval;
        this.last = System.nanoTime() - minInterval.get().toNanos();
    }

    /** No minimum interval. */
    public static BatchPace unlimited() {
        return new BatchPace(() -> Duration.ZERO);
    }

    /** A minimum interval that may depend on the load; it is read before every batch. */
    public static BatchPace of(Supplier<Duration> minInterval) {
        return new BatchPace(minInterval);
    }

    /** Waits until the next batch may start. */
    void awaitTurn() {
        long nanos = minInterval.get().toNanos();
        if (nanos > 0) {
            LockSupport.parkNanos(last + nanos - System.nanoTime());
            last = System.nanoTime();
        }
    }
}
