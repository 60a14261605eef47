package dev.toolgate.store.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jdbi.v3.core.Handle;

/** Statements over much of the audit log, which may say nothing for longer than anything that a call waits for. */
public final class LongWork {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Executor ON_THE_SPOT = Runnable::run;

    private LongWork() {}

    /**
     * Lets each statement take an hour; the pool takes that back when it gets the connection back. Within a transaction
     * none of them runs on several processors at once, which would leave none to the calls meanwhile.
     */
    public static void with(Handle handle) {
        Connection connection = handle.getConnection();
        try {
            connection.setNetworkTimeout(ON_THE_SPOT, (int) LONGEST.toMillis());
        } catch (SQLException lost) {
            throw new IllegalStateException("The connection for a long statement was lost.", lost);
        }
        if (handle.isInTransaction()) {
            handle.execute("SET LOCAL max_parallel_workers_per_gather = 0");
        }
    }
}
