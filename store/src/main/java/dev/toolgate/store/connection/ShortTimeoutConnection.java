package dev.toolgate.store.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/** Pooled connections with a short timeout, for queries that a call waits for. */
public final class ShortTimeoutConnection {
    private static final Duration TIMEOUT = Duration.ofMillis(1500);
    private static final Executor SAME_THREAD = Runnable::run;

    private ShortTimeoutConnection() {}

    /**
     * A connection that fails if the database does not answer for 1.5 seconds. The pool resets the timeout when it is
     * returned.
     */
    public static Connection from(DataSource pool) throws SQLException {
        Connection connection = pool.getConnection();
        try {
            limit(connection);
            return connection;
        } catch (SQLException lost) {
            connection.close();
            throw lost;
        }
    }

    /** Sets the timeout on a connection. */
    static void limit(Connection connection) throws SQLException {
        connection.setNetworkTimeout(SAME_THREAD, (int) TIMEOUT.toMillis());
    }
}
