package dev.toolgate.store.audit.retention;

import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Changes of many rows in small transactions with pauses between them. Their commits do not wait for the disk, so that
 * those of calls do not wait behind them: what a crash loses is done again by the next run. Used by one thread.
 */
final class SmallSteps {
    private final Handle handle;
    private final StepPause pace = new StepPause();

    SmallSteps(Handle handle) {
        this.handle = handle;
    }

    /** Does a step, and pauses. */
    <T> T step(Function<Handle, T> work) {
        T done = handle.inTransaction(transaction -> {
            transaction.execute("SET LOCAL synchronous_commit = off");
            return work.apply(transaction);
        });
        pace.pause();
        return done;
    }
}
