package dev.toolgate.store.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.LongAdder;

/**
 * A pool that tells a busy database from one that is gone. While connections come back, the database works and
 * whoever waits will have a turn; when none has come back for as long as one wait takes, nobody waits any longer.
 */
public final class PatientPool extends HikariDataSource {
    private final Returned returned;

    public PatientPool(HikariConfig settings) {
        this(settings, new Returned());
    }

    private PatientPool(HikariConfig settings, Returned returned) {
        super(counting(settings, returned));
        this.returned = returned;
    }

    private static HikariConfig counting(HikariConfig settings, Returned returned) {
        settings.setMetricsTrackerFactory((_, _) -> returned);
        return settings;
    }

    @Override
    public Connection getConnection() throws SQLException {
        long came = System.nanoTime();
        while (true) {
            long before = returned.number();
            try {
                return super.getConnection();
            } catch (SQLTransientConnectionException noneInTime) {
                boolean busy = returned.number() > before;
                if (!busy || System.nanoTime() - came > PoolSettings.BUSY_WAIT.toNanos()) {
                    throw noneInTime;
                }
            }
        }
    }

    /** Whether the database answers now, or answers others. */
    public boolean isServing() {
        long before = returned.number();
        try (Connection connection = super.getConnection()) {
            boolean answers = connection.isValid(1);
            if (!answers) {
                evictConnection(connection); // or the next to ask would get the same dead one
            }
            return answers;
        } catch (SQLException noneInTime) {
            return returned.number() > before;
        }
    }

    /** Counts the connections that were given back in good order; those that broke are not among them. */
    private static final class Returned implements IMetricsTracker {
        private final LongAdder number = new LongAdder();

        @Override
        public void recordConnectionUsageMillis(long elapsed) {
            number.increment();
        }

        long number() {
            return number.sum();
        }
    }
}
