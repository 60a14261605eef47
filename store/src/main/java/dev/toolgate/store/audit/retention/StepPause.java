package dev.toolgate.store.audit.retention;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Pauses after each step of long work for as long as the step took, so that CPU and disk are free for calls at least
 * half of the time. Not thread-safe.
 */
final class StepPause {
    private static final long MAX_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private long stepBegan = System.nanoTime();

    /** Ends a step: pauses, and starts the next. */
    void pause() {
        LockSupport.parkNanos(Math.min(System.nanoTime() - stepBegan, MAX_PAUSE_NANOS));
        stepBegan = System.nanoTime();
    }
}
