package dev.toolgate.store.batch;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** A minimum interval between the starts of batches. Used by one thread at a time. */
final class MinInterval implements BatchPace {
    private final Supplier<Duration> minInterval;
    private long last;

    MinInterval(Supplier<Duration> minInterval) {
        this.minInterval = minInterval;
        this.last = System.nanoTime() - minInterval.get().toNanos();
    }

    @Override
    public void awaitTurn(IntSupplier waiting) {
        long nanos = minInterval.get().toNanos();
        if (nanos > 0) {
            LockSupport.parkNanos(last + nanos - System.nanoTime());
            last = System.nanoTime();
        }
    }
}
