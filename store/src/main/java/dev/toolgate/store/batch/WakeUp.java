package dev.toolgate.store.batch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Tuning, not correctness: wakes the callers of a batch from a virtual thread, which wakes virtual threads at lower
 * cost than a platform thread does. As a pace, it starts the next batch when that thread has run, or if as many entries
 * wait as the last batch had. While the thread waits for a processor its callers could not continue anyway, and a small
 * batch would only take processor time from calls that could share it. Decisions 14 and 41 have the measurements. Used
 * by one thread at a time.
 */
public final class WakeUp implements BatchPace {
    /** Calls that occupy all carrier threads for longer do not stop the batches. */
    private static final Duration MAX_WAIT = Duration.ofMillis(10);

    private CountDownLatch woken = new CountDownLatch(0);
    private int lastBatch;

    /**
     * Completes a batch.
     *
     * @param count how many callers wait; a single one is woken at once
     */
    public void callers(int count, Runnable completion) {
        lastBatch = count;
        if (count == 1) {
            completion.run();
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        woken = done;
        Thread.startVirtualThread(() -> {
            try {
                completion.run();
            } finally {
                done.countDown();
            }
        });
    }

    @Override
    public void awaitTurn(IntSupplier waiting) {
        if (woken.getCount() == 0 || waiting.getAsInt() >= lastBatch) {
            return;
        }
        try {
            boolean _ = woken.await(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
