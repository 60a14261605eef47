package dev.toolgate.store.audit.write;

import dev.toolgate.store.audit.chain.ChainAlarms;
import dev.toolgate.store.audit.chain.OwnChain;
import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.connection.UnpooledConnections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a writing instance and the head of its chain. The connection holds a lock for as
 * long as it lives, which tells everybody else that the instance does; nobody can declare it dead and
 * close its intents while it can still write.
 */
public final class AuditSession implements AutoCloseable {
    private static final int NETWORK_PATIENCE_MS = 5_000;
    private static final Executor ON_THE_SPOT = Runnable::run;

    private final Connection connection;
    private final OwnChain chain;

    private AuditSession(Connection connection, OwnChain chain) {
        this.connection = connection;
        this.chain = chain;
    }

    /**
     * Goes on with the chain of an instance, or begins a new one if that has been declared dead or does not end in the
     * database where it must.
     *
     * @param alarms told of a chain that somebody else has changed
     */
    static AuditSession open(UnpooledConnections sessions, @Nullable OwnChain known, ChainAlarms alarms)
            throws SQLException {
        Connection connection = sessions.open();
        try {
            connection.setNetworkTimeout(ON_THE_SPOT, NETWORK_PATIENCE_MS);
            connection.setAutoCommit(false);
            makeCommitsDurable(connection);
            OwnChain chain =
                    known != null && !alarms.concern(known) && isResumed(connection, known, alarms) ? known : null;
            AuditSession session = new AuditSession(connection, chain == null ? register(connection) : chain);
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

    private static boolean isResumed(Connection connection, OwnChain chain, ChainAlarms alarms) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT last_sequence, encode(last_hash, 'hex'), ended_at IS NULL, number,
                    CASE WHEN ended_at IS NULL THEN pg_try_advisory_lock(21607, number) END
                FROM audit_instances WHERE instance_id = ?""")) {
            query.setObject(1, chain.id());
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    if (!chain.isEmpty()) { // an empty one that was declared dead is removed by EndedChains
                        alarms.raise(chain, null);
                    }
                    return false;
                }
                boolean open = row.getBoolean(3);
                if (open && !row.getBoolean(5)) {
                    endFormer(connection, row.getInt(4));
                    // What the former one committed last is visible only now.
                    return isResumed(connection, chain, alarms);
                }
                if (chain.agrees(row.getLong(1), row.getString(2))) {
                    return open;
                }
                alarms.raise(chain, row.getLong(1));
            }
        }
        abandon(connection, chain);
        return false;
    }

    // A chain that somebody else has changed is never gone on with.
    private static void abandon(Connection connection, OwnChain chain) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE audit_instances SET ended_at = CURRENT_TIMESTAMP WHERE instance_id = ? AND ended_at IS NULL"
                        + " AND NOT EXISTS (SELECT FROM tool_intents WHERE instance_id = ?)")) {
            update.setObject(1, chain.id());
            update.setObject(2, chain.id());
            update.executeUpdate();
        }
        try (Statement unlock = connection.createStatement()) {
            unlock.execute("SELECT pg_advisory_unlock_all()"); // so that what it left open is closed as of a dead one
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
    private static OwnChain register(Connection connection) throws SQLException {
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
        return new OwnChain(instanceId);
    }

    Connection connection() {
        return connection;
    }

    OwnChain chain() {
        return chain;
    }

    public UUID instanceId() {
        return chain.id();
    }

    public long lastSequence() {
        return chain.lastSequence();
    }

    public String lastHash() {
        return chain.lastHash();
    }

    /** These are about to be sent. */
    void expect(List<ChainLink> links) {
        chain.expect(links);
    }

    /** What was sent is durable. */
    void advance() {
        chain.advance();
    }

    /** Whether the chain ends in the database where it must. */
    boolean isAsRemembered() throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT last_sequence, encode(last_hash, 'hex') FROM audit_instances WHERE instance_id = ?")) {
            query.setObject(1, chain.id());
            try (ResultSet row = query.executeQuery()) {
                return row.next() && chain.agrees(row.getLong(1), row.getString(2));
            }
        } finally {
            connection.commit();
        }
    }

    /** What is sent in one go and committed with it. */
    interface AtOnce {
        void write() throws SQLException;
    }

    /** Does something with the connection committing by itself; outside a transaction. */
    void committing(AtOnce work) throws SQLException {
        connection.setAutoCommit(true);
        try {
            work.write();
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
            update.setObject(1, chain.id());
            update.setObject(2, chain.id());
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
