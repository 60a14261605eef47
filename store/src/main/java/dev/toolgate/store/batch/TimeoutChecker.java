package dev.toolgate.store.batch;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Periodically checks for entries that have timed out. A timer per call would be more expensive than the wait
 * itself.
 */
final class TimeoutChecker implements AutoCloseable {
    private static final long INTERVAL_MS = 25;
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final ScheduledFuture<?> checks;

    /**
     * @param check receives the current {@link System#nanoTime}; must not block
     */
    TimeoutChecker(LongConsumer check) {
        checks = TIMER.scheduleWithFixedDelay(
                () -> check.accept(System.nanoTime()), INTERVAL_MS, INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        checks.cancel(false);
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("toolgate-timeouts").factory());
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
