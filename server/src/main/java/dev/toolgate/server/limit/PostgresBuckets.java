package dev.toolgate.server.limit;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.connection.ShortTimeoutConnection;
import io.github.bucket4j.distributed.proxy.ClientSideConfig;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AbstractCompareAndSwapBasedProxyManager;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AsyncCompareAndSwapOperation;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.CompareAndSwapOperation;
import io.github.bucket4j.distributed.remote.RemoteBucketState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

/**
 * Rate limit buckets in a table that all instances share. Updates use compare-and-swap, so that no instance holds a
 * connection while it waits for another.
 */
final class PostgresBuckets extends AbstractCompareAndSwapBasedProxyManager<BucketKey> {
    private static final String SAME_KEY = "tenant_id = ? AND agent_id = ? AND tool_name = ? AND terms = ?";

    private final DataSource dataSource;

    PostgresBuckets(DataSource dataSource, ClientSideConfig config) {
        super(config);
        this.dataSource = dataSource;
    }

    @Override
    protected CompareAndSwapOperation beginCompareAndSwapOperation(BucketKey key) {
        return new CompareAndSwapOperation() {
            @Override
            public Optional<byte[]> getStateData(Optional<Long> timeoutNanos) {
                return read(key);
            }

            @Override
            @SuppressWarnings("NullAway") // the library passes null if there is no bucket yet
            public boolean compareAndSwap(
                    byte[] before, byte[] after, RemoteBucketState state, Optional<Long> timeoutNanos) {
                return before == null ? insert(key, after) : replace(key, before, after);
            }
        };
    }

    /** Deletes full buckets, which are the same as new ones. */
    int sweep() {
        return withStatement(
                "DELETE FROM rate_limit_buckets WHERE full_at < clock_timestamp()", PreparedStatement::executeUpdate);
    }

    private Optional<byte[]> read(BucketKey key) {
        return withStatement("SELECT state FROM rate_limit_buckets WHERE " + SAME_KEY, query -> {
            bind(query, 1, key);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
            }
        });
    }

    private boolean insert(BucketKey key, byte[] state) {
        return withStatement("""
                INSERT INTO rate_limit_buckets (tenant_id, agent_id, tool_name, terms, state, full_at)
                VALUES (?, ?, ?, ?, ?, clock_timestamp() + ? * interval '1 millisecond')
                ON CONFLICT DO NOTHING""", insert -> {
            bind(insert, 1, key);
            insert.setBytes(5, state);
            insert.setLong(6, key.limit().untilFull().toMillis());
            return insert.executeUpdate() == 1;
        });
    }

    private boolean replace(BucketKey key, byte[] before, byte[] after) {
        return withStatement(
                "UPDATE rate_limit_buckets SET state = ?, full_at = clock_timestamp() + ? * interval '1 millisecond' WHERE "
                        + SAME_KEY + " AND state = ?",
                update -> {
                    update.setBytes(1, after);
                    update.setLong(2, key.limit().untilFull().toMillis());
                    bind(update, 3, key);
                    update.setBytes(7, before);
                    return update.executeUpdate() == 1;
                });
    }

    private static void bind(PreparedStatement statement, int first, BucketKey key) throws SQLException {
        statement.setString(first, key.tenant());
        statement.setString(first + 1, key.agent());
        statement.setString(first + 2, key.tool());
        statement.setString(first + 3, key.limit().terms());
    }

    private <T> T withStatement(String sql, Query<T> query) {
        try (Connection connection = ShortTimeoutConnection.from(dataSource);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            return query.execute(statement);
        } catch (SQLException unanswered) {
            throw new Unavailable("The rate limit could not be read from the database.", unanswered);
        }
    }

    private interface Query<T> {
        T execute(PreparedStatement statement) throws SQLException;
    }

    @Override
    public void removeProxy(BucketKey key) {
        throw new UnsupportedOperationException("Buckets are deleted only by sweep().");
    }

    @Override
    public boolean isAsyncModeSupported() {
        return false;
    }

    @Override
    protected AsyncCompareAndSwapOperation beginAsyncCompareAndSwapOperation(BucketKey key) {
        throw new UnsupportedOperationException("Only the blocking API is used.");
    }

    @Override
    protected CompletableFuture<Void> removeAsync(BucketKey key) {
        throw new UnsupportedOperationException("Only the blocking API is used.");
    }
}
