package dev.toolgate.runtime.sandbox.command;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits by polling for kernel state that has no notification. */
public final class Await {
    private static final long MIN_PAUSE_NANOS = 100_000;
    private static final long MAX_PAUSE_NANOS = 5_000_000;

    private Await() {}

    /**
     * Polls until the condition holds or the time-out expires; returns whether it holds. An interrupt does not end the
     * wait, because the awaited processes must not outlive the call; the interrupt flag is restored.
     */
    public static boolean until(BooleanSupplier condition, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        long pause = MIN_PAUSE_NANOS;
        boolean interrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - deadline >= 0) {
                    return false;
                }
                LockSupport.parkNanos(pause);
                interrupted |= Thread.interrupted();
                pause = Math.min(MAX_PAUSE_NANOS, pause * 2);
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
