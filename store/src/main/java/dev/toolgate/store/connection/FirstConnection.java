package dev.toolgate.store.connection;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for a server that was started by us and is slow to answer, as on a busy machine. The short limits of ordinary
 * connections tell an outage from a slow answer, which at the start there is no need to.
 */
public record FirstConnection(UnpooledConnections sessions, BooleanSupplier alive, Duration limit) {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String NOT_YET = "57P03"; // cannot_connect_now

    /**
     * Returns once the server has answered.
     *
     * @throws SQLException if it refuses us, has ended, or did not answer within the limit
     */
    public void await() throws SQLException, IOException {
        long giveUp = System.nanoTime() + limit.toNanos();
        while (true) {
            try (Connection first = sessions.open()) {
                if (first.isValid((int) limit.toSeconds())) {
                    return;
                }
                throw new SQLException("The database did not answer its first question", "08006");
            } catch (SQLException failed) {
                if (!passes(failed) || !alive.getAsBoolean() || System.nanoTime() > giveUp) {
                    throw failed;
                }
            }
            pause();
        }
    }

    private static boolean passes(SQLException failed) {
        String state = String.valueOf(failed.getSQLState());
        return state.startsWith("08") || state.equals(NOT_YET);
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the database was being started.", hurry);
        }
    }
}
