package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Cancellation;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread it was made on when the call is cancelled or its time is up, and makes sure
 * that no such interrupt arrives once it is closed.
 */
final class RunGuard implements AutoCloseable {
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    /** Why the work ended. */
    enum Stop {
        NOT_STOPPED,
        CANCELLED,
        OUT_OF_TIME
    }

    private final Thread worker = Thread.currentThread();
    private final Cancellation cancellation;
    private final Runnable onCancel = () -> stop(Stop.CANCELLED);
    private final @Nullable ScheduledFuture<?> alarm;
    private Stop stop = Stop.NOT_STOPPED;
    private boolean closed;

    RunGuard(Cancellation cancellation, @Nullable Duration limit) {
        this.cancellation = cancellation;
        this.alarm = limit == null
                ? null
                : TIMER.schedule(() -> stop(Stop.OUT_OF_TIME), limit.toNanos(), TimeUnit.NANOSECONDS);
        cancellation.onCancel(onCancel);
    }

    synchronized Stop stopped() {
        return stop;
    }

    /** Passes on an interrupt that somebody else sent: the host wants its thread back. */
    void rethrowUnlessStopped(InterruptedException interrupt) throws InterruptedException {
        if (stopped() == Stop.NOT_STOPPED) {
            throw interrupt;
        }
    }

    private synchronized void stop(Stop why) {
        if (!closed && stop == Stop.NOT_STOPPED) {
            stop = why;
            worker.interrupt();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (stop != Stop.NOT_STOPPED) {
                Thread.interrupted(); // our own interrupt, which the tool may not have noticed
            }
        }
        cancellation.forget(onCancel);
        if (alarm != null) {
            alarm.cancel(false);
        }
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("toolgate-time-limits").factory());
        timer.setRemoveOnCancelPolicy(true);
        // With something always due sooner, setting an alarm need not wake the thread: 3 µs less a call.
        var _ = timer.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS);
        return timer;
    }
}
