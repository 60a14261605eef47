package dev.toolgate.store.connection;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for the first connection to a server that was just started and may be slow on a busy machine. Ordinary
 * connections have short timeouts to detect outages, which are not useful at the start.
 */
public record FirstConnection(UnpooledConnections connections, BooleanSupplier alive, Duration limit) {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String NOT_YET = "57P03"; // cannot_connect_now

    /**
     * Returns the first connection on which the server has answered.
     *
     * @throws SQLException if it refuses the connection, has ended, or does not answer within the limit
     */
    public Connection await() throws SQLException, IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                return answering();
            } catch (SQLException failed) {
                if (!isTransient(failed) || !alive.getAsBoolean() || System.nanoTime() > deadline) {
                    throw failed;
                }
            }
            pause();
        }
    }

    private Connection answering() throws SQLException {
        Connection first = connections.open();
        if (first.isValid((int) limit.toSeconds())) {
            return first;
        }
        first.close();
        throw new SQLException("The database did not answer the first query", "08006");
    }

    private static boolean isTransient(SQLException failed) {
        String state = String.valueOf(failed.getSQLState());
        return state.startsWith("08") || state.equals(NOT_YET);
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the database was being started.", interrupted);
        }
    }
}
