package dev.toolgate.store.batch;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Looks, many times a second, for those who have waited too long. So that nobody needs an alarm of their own: setting
 * and stopping one for every call costs more than the call's wait itself.
 */
final class Watch implements AutoCloseable {
    private static final long EVERY_MS = 25;
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final ScheduledFuture<?> looking;

    /**
     * @param look is given the time as {@link System#nanoTime}; must not block
     */
    Watch(LongConsumer look) {
        looking = TIMER.scheduleWithFixedDelay(
                () -> look.accept(System.nanoTime()), EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        looking.cancel(false);
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("toolgate-patience").factory());
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
