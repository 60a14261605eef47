package dev.toolgate.server.operate.metrics;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.util.Map;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;

/** Gauges of the connection pool. */
public final class PoolGauges {
    private PoolGauges() {}

    /** Registers the gauges of a pool; does nothing for other data sources. */
    public static void watch(DataSource source, Metrics metrics) {
        if (source instanceof HikariDataSource pool) {
            watch(pool, metrics, "active", HikariPoolMXBean::getActiveConnections);
            watch(pool, metrics, "idle", HikariPoolMXBean::getIdleConnections);
            watch(pool, metrics, "waiting", HikariPoolMXBean::getThreadsAwaitingConnection);
        }
    }

    private static void watch(
            HikariDataSource pool, Metrics metrics, String state, ToIntFunction<HikariPoolMXBean> number) {
        metrics.watch(
                "toolgate.pool.connections",
                "Connections to the database by state; waiting counts threads that want one",
                Map.of("state", state),
                () -> number.applyAsInt(pool.getHikariPoolMXBean()));
    }
}
