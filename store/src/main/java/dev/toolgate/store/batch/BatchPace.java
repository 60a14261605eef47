package dev.toolgate.store.batch;

import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Tuning, not correctness: when the next batch may start, so that many callers share few large batches. A single caller
 * does not wait. Decisions 14 and 41 have the measurements.
 */
public interface BatchPace {
    /**
     * Waits until the next batch may start. Called by one thread at a time.
     *
     * @param waiting how many entries the batch would have now
     */
    void awaitTurn(IntSupplier waiting);

    /** Batches start at once. */
    static BatchPace unlimited() {
        return _ -> {};
    }

    /**
     * A minimum interval between the starts of batches.
     *
     * @param minInterval may depend on the load; it is read before every batch
     */
    static BatchPace of(Supplier<Duration> minInterval) {
        return new MinInterval(minInterval);
    }
}
