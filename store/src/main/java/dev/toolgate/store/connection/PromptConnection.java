package dev.toolgate.store.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/** Pooled connections for questions that a call waits for: what is not answered soon is not answered. */
public final class PromptConnection {
    private static final Duration PATIENCE = Duration.ofMillis(1500);
    private static final Executor ON_THE_SPOT = Runnable::run;

    private PromptConnection() {}

    /**
     * A connection that is lost when the database says nothing for a second and a half. The pool takes the limit off
     * again.
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

    /** Puts the limit on a connection. */
    static void limit(Connection connection) throws SQLException {
        connection.setNetworkTimeout(ON_THE_SPOT, (int) PATIENCE.toMillis());
    }
}
