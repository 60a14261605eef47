package dev.toolgate.tools.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import dev.toolgate.core.call.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A small connection pool per database, opened on first use and closed when idle. */
final class Pools implements AutoCloseable {
    private static final Duration CONNECTION_IDLE = Duration.ofMinutes(1);
    private static final Duration POOL_IDLE = Duration.ofMinutes(15); // longer than any query may run
    private static final Duration MAX_LIFETIME = Duration.ofMinutes(10);
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(10);

    private final Map<Key, Slot> slots = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** The tenant and name of a database. */
    record Key(TenantId tenant, String name) {}

    /** Borrows a connection from the pool of this database. */
    Connection borrow(Key key, DatabaseTarget target, @Nullable String password) throws SQLException {
        slots.forEach((other, slot) -> slot.closeIfUnusedFor(POOL_IDLE));
        if (closed) {
            throw new SQLException("The server is stopping.");
        }
        return slots.computeIfAbsent(key, _ -> new Slot())
                .pool(key, target, password)
                .getConnection();
    }

    /** Removes this connection from its pool. */
    void discard(Key key, Connection connection) {
        Slot slot = slots.get(key);
        if (slot != null) {
            slot.discard(connection);
        }
    }

    @Override
    public void close() {
        closed = true;
        slots.values().forEach(slot -> slot.closeIfUnusedFor(Duration.ZERO));
    }

    private static final class Slot {
        private @Nullable HikariDataSource pool;
        private volatile @Nullable String latestPassword;
        private long lastUsed;

        // One thread opens the pool while others wait; a failed attempt leaves no state behind.
        synchronized HikariDataSource pool(Key key, DatabaseTarget target, @Nullable String password)
                throws SQLException {
            lastUsed = System.nanoTime();
            latestPassword = password;
            HikariDataSource current = pool;
            if (current == null) {
                current = open(key, target);
                pool = current;
            }
            return current;
        }

        synchronized void discard(Connection connection) {
            if (pool != null) {
                pool.evictConnection(connection);
            }
        }

        synchronized void closeIfUnusedFor(Duration time) {
            if (pool != null && System.nanoTime() - lastUsed >= time.toNanos()) {
                pool.close();
                pool = null;
            }
        }

        private HikariDataSource open(Key key, DatabaseTarget target) throws SQLException {
            HikariConfig config = new HikariConfig();
            config.setPoolName("database " + key.tenant() + "/" + key.name());
            config.setDataSource(new LoginSource(DriverSource.of(target), target.user(), () -> latestPassword));
            config.setMaximumPoolSize(target.connections());
            config.setMinimumIdle(0);
            config.setIdleTimeout(CONNECTION_IDLE.toMillis());
            config.setMaxLifetime(MAX_LIFETIME.toMillis());
            config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
            config.setExceptionOverride(new KeepConnectionOnError());
            config.setInitializationFailTimeout(1); // reports a wrong password at once, not after the time-out
            try {
                return new HikariDataSource(config);
            } catch (HikariPool.PoolInitializationException failed) {
                throw failed.getCause() instanceof SQLException why ? why : new SQLException(failed);
            }
        }
    }
}
