package dev.toolgate.store.audit.retention;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Long work in steps, each followed by a pause as long as the step took: the processors and the disk are free for calls
 * at least half of the time. Used by one thread.
 */
final class StepPause {
    private static final long MAX_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

    private long stepBegan = System.nanoTime();

    /** A step is done: pauses, and begins the next. */
    void pause() {
        LockSupport.parkNanos(Math.min(System.nanoTime() - stepBegan, MAX_PAUSE_NANOS));
        stepBegan = System.nanoTime();
    }
}
