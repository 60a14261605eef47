package dev.toolgate.runtime.sandbox.command;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for something the kernel does and does not announce. */
public final class Await {
    private static final long SHORTEST_NANOS = 100_000;
    private static final long LONGEST_NANOS = 5_000_000;

    private Await() {}

    /**
     * Waits until it is so, or the time is up, and says which. An interrupt does not shorten it, since
     * what is waited for here is the end of processes that must not outlive the call; it is kept.
     */
    public static boolean until(BooleanSupplier condition, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        long pause = SHORTEST_NANOS;
        boolean interrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - deadline >= 0) {
                    return false;
                }
                LockSupport.parkNanos(pause);
                interrupted |= Thread.interrupted();
                pause = Math.min(LONGEST_NANOS, pause * 2);
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
