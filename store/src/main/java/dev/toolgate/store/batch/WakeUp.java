package dev.toolgate.store.batch;

/**
 * Tuning, not correctness: wakes the callers of a batch from a virtual thread, which wakes virtual threads at lower
 * cost than a platform thread does, while the next batch starts. Decision 14 has the measurements.
 */
public final class WakeUp {
    private WakeUp() {}

    /**
     * Completes a batch.
     *
     * @param count how many callers wait; a single one is woken at once
     */
    public static void callers(int count, Runnable completion) {
        if (count == 1) {
            completion.run();
        } else {
            Thread.startVirtualThread(completion);
        }
    }
}
