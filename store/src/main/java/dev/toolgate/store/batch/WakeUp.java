package dev.toolgate.store.batch;

/**
 * Tuning, not correctness: callers of a batch are woken from a virtual thread, which wakes others of its kind at less
 * cost than a platform thread, while the next batch begins. Decision 14 has the measurements.
 */
public final class WakeUp {
    private WakeUp() {}

    public static void callers(Runnable completion) {
        Thread.startVirtualThread(completion);
    }
}
