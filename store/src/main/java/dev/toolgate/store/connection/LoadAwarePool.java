package dev.toolgate.store.connection;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.LongAdder;

/**
 * A pool that distinguishes a busy database from an unavailable one. While connections are being returned, callers
 * keep waiting; if none was returned within one timeout, they fail.
 */
public final class LoadAwarePool extends HikariDataSource {
    private final Returned returned;

    public LoadAwarePool(HikariConfig settings) {
        this(settings, new Returned());
    }

    private LoadAwarePool(HikariConfig settings, Returned returned) {
        super(counting(settings, returned));
        this.returned = returned;
    }

    private static HikariConfig counting(HikariConfig settings, Returned returned) {
        settings.setMetricsTrackerFactory((_, _) -> returned);
        return settings;
    }

    @Override
    public Connection getConnection() throws SQLException {
        long start = System.nanoTime();
        while (true) {
            long before = returned.number();
            try {
                return super.getConnection();
            } catch (SQLTransientConnectionException noneInTime) {
                boolean busy = returned.number() > before;
                if (!busy || System.nanoTime() - start > PoolSettings.MAX_BUSY_WAIT.toNanos()) {
                    throw noneInTime;
                }
            }
        }
    }

    /** Whether the database answers now, or is serving other callers. */
    public boolean isServing() {
        long before = returned.number();
        try (Connection connection = super.getConnection()) {
            boolean answers = connection.isValid(1);
            if (!answers) {
                evictConnection(connection); // otherwise the next caller would get the same dead connection
            }
            return answers;
        } catch (SQLException noneInTime) {
            return returned.number() > before;
        }
    }

    /** Counts the connections that were returned intact. */
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
