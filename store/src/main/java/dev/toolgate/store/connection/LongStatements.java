package dev.toolgate.store.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jdbi.v3.core.Handle;

/** A long timeout for statements over large parts of the audit log. */
public final class LongStatements {
    private static final Duration TIMEOUT = Duration.ofHours(1);
    private static final Executor SAME_THREAD = Runnable::run;

    private LongStatements() {}

    /**
     * Allows each statement an hour; the pool resets the timeout when the connection is returned. In a transaction,
     * parallel query is turned off, so that it does not take all CPUs from calls.
     */
    public static void allow(Handle handle) {
        Connection connection = handle.getConnection();
        try {
            connection.setNetworkTimeout(SAME_THREAD, (int) TIMEOUT.toMillis());
        } catch (SQLException lost) {
            throw new IllegalStateException("The connection for a long statement was lost.", lost);
        }
        if (handle.isInTransaction()) {
            handle.execute("SET LOCAL max_parallel_workers_per_gather = 0");
        }
    }
}
