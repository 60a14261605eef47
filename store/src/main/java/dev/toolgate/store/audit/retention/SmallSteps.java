package dev.toolgate.store.audit.retention;

import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Changes many rows in small transactions with pauses. Their commits are asynchronous, so that
 * commits of calls do not wait behind them; what a crash loses is repeated by the next run. Not thread-safe.
 */
final class SmallSteps {
    private final Handle handle;
    private final StepPause pace = new StepPause();

    SmallSteps(Handle handle) {
        this.handle = handle;
    }

    /** Runs one transaction, then pauses. */
    <T> T step(Function<Handle, T> work) {
        T done = handle.inTransaction(transaction -> {
            transaction.execute("SET LOCAL synchronous_commit = off");
            return work.apply(transaction);
        });
        pace.pause();
        return done;
    }
}
