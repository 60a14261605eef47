package dev.toolgate.store.audit;

import dev.toolgate.store.Sessions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a writing instance and the head of its chain. The connection holds a lock for as
 * long as it lives, which tells everybody else that the instance does; nobody can declare it dead and
 * close its intents while it can still write.
 */
final class AuditSession implements AutoCloseable {
    private static final int NETWORK_PATIENCE_MS = 5_000;
    private static final Executor ON_THE_SPOT = Runnable::run;

    private final Connection connection;
    private final UUID instanceId;
    private long lastSequence;
    private String lastHash;

    private AuditSession(Connection connection, UUID instanceId, long lastSequence, String lastHash) {
        this.connection = connection;
        this.instanceId = instanceId;
        this.lastSequence = lastSequence;
        this.lastHash = lastHash;
    }

    /** Goes on with the chain of an instance, or begins a new one if that has been declared dead. */
    static AuditSession open(Sessions sessions, @Nullable UUID known) throws SQLException {
        Connection connection = sessions.open();
        try {
            connection.setNetworkTimeout(ON_THE_SPOT, NETWORK_PATIENCE_MS);
            connection.setAutoCommit(false);
            makeCommitsDurable(connection);
            AuditSession resumed = known == null ? null : resume(connection, known);
            AuditSession session = resumed == null ? register(connection) : resumed;
            connection.commit();
            return session;
        } catch (SQLException failed) {
            connection.close();
            throw failed;
        }
    }

    // Whatever the server is configured to do for others.
    private static void makeCommitsDurable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit = on");
            // Other instances may want the same keys: they do not wait for one that has come to a halt, nor we for
            // them.
            statement.execute("SET idle_in_transaction_session_timeout = '5s'");
            statement.execute("SET lock_timeout = '2s'");
        }
    }

    private static @Nullable AuditSession resume(Connection connection, UUID instanceId) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT last_sequence, encode(last_hash, 'hex'), pg_try_advisory_lock(21607, number), number
                FROM audit_instances WHERE instance_id = ? AND ended_at IS NULL""")) {
            query.setObject(1, instanceId);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                if (!row.getBoolean(3)) {
                    endFormer(connection, row.getInt(4));
                    return resume(connection, instanceId); // what the former one committed last is visible only now
                }
                return new AuditSession(connection, instanceId, row.getLong(1), row.getString(2));
            }
        }
    }

    // The database may not have noticed that our former connection is gone; only then does the wait take long.
    private static void endFormer(Connection connection, int number) throws SQLException {
        try (PreparedStatement end = connection.prepareStatement("""
                SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND classid = 21607 AND objid = ? AND pid <> pg_backend_pid()
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""")) {
            end.setInt(1, number);
            end.executeQuery().close();
        }
        try (PreparedStatement wait = connection.prepareStatement("SELECT pg_advisory_xact_lock(21607, ?)")) {
            wait.setInt(1, number);
            wait.executeQuery().close();
        }
        connection.commit();
    }

    // Locked before the commit that makes the row visible, so it is never seen without its lock.
    private static AuditSession register(Connection connection) throws SQLException {
        UUID instanceId = UUID.randomUUID();
        try (PreparedStatement insert = connection.prepareStatement("""
                WITH me AS (
                    INSERT INTO audit_instances (instance_id, process_id, last_hash, pruned_hash)
                    VALUES (?, ?, decode(?, 'hex'), decode(?, 'hex')) RETURNING number)
                SELECT pg_try_advisory_lock(21607, number) FROM me""")) {
            insert.setObject(1, instanceId);
            insert.setLong(2, ProcessHandle.current().pid());
            insert.setString(3, ChainLink.ORIGIN);
            insert.setString(4, ChainLink.ORIGIN);
            insert.executeQuery().close();
        }
        return new AuditSession(connection, instanceId, 0, ChainLink.ORIGIN);
    }

    Connection connection() {
        return connection;
    }

    UUID instanceId() {
        return instanceId;
    }

    long lastSequence() {
        return lastSequence;
    }

    String lastHash() {
        return lastHash;
    }

    /** Where a chain ends: this one, or a former one that has been declared dead; {@code null} if there is none. */
    @Nullable
    Long lastSequenceOf(UUID chain) throws SQLException {
        if (chain.equals(instanceId)) {
            return lastSequence;
        }
        try (PreparedStatement query =
                connection.prepareStatement("SELECT last_sequence FROM audit_instances WHERE instance_id = ?")) {
            query.setObject(1, chain);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : null;
            }
        } finally {
            connection.commit();
        }
    }

    /** The records are durable, so the next one follows this one. */
    void advance(ChainLink last) {
        lastSequence = last.sequence();
        lastHash = last.hash();
    }

    /** What is sent in one go and committed with it. */
    interface AtOnce {
        ChainLink write() throws SQLException;
    }

    /** Does something with the connection committing by itself; outside a transaction. */
    ChainLink committing(AtOnce work) throws SQLException {
        connection.setAutoCommit(true);
        try {
            return work.write();
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(false);
            }
        }
    }

    /** Nothing is open any more, so the instance ends for good. */
    void end() throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                UPDATE audit_instances SET ended_at = CURRENT_TIMESTAMP WHERE instance_id = ?
                AND NOT EXISTS (SELECT FROM tool_intents WHERE instance_id = ?)""")) {
            update.setObject(1, instanceId);
            update.setObject(2, instanceId);
            update.executeUpdate();
            connection.commit();
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException alreadyLost) {
            // The database releases the lock of a lost connection by itself.
        }
    }
}
