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
 * The chain that this instance writes, with its connection. The connection holds an advisory lock, which shows other
 * instances that this one is alive: none can declare it dead and close its intents while it can
 * still write.
 */
public final class OpenChain implements AutoCloseable {
    private static final int NETWORK_TIMEOUT_MS = 5_000;
    private static final Executor SAME_THREAD = Runnable::run;

    private final Connection connection;
    private final OwnChain chain;

    private OpenChain(Connection connection, OwnChain chain) {
        this.connection = connection;
        this.chain = chain;
    }

    /**
     * Continues the chain of an instance, or starts a new one if that was declared dead or its head in the database is
     * not the expected one.
     *
     * @param alarms notified of a chain that was modified
     */
    static OpenChain open(UnpooledConnections connections, @Nullable OwnChain known, ChainAlarms alarms)
            throws SQLException {
        Connection connection = connections.open();
        try {
            connection.setNetworkTimeout(SAME_THREAD, NETWORK_TIMEOUT_MS);
            connection.setAutoCommit(false);
            makeCommitsDurable(connection);
            useIndexes(connection);
            OwnChain chain =
                    known != null && !alarms.hasAlarm(known) && tryResume(connection, known, alarms) ? known : null;
            OpenChain opened = new OpenChain(connection, chain == null ? register(connection) : chain);
            connection.commit();
            return opened;
        } catch (SQLException failed) {
            connection.close();
            throw failed;
        }
    }

    // Independent of the configuration of the server.
    private static void makeCommitsDurable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit = on");
            // Other instances may need the same keys; neither side waits long for a transaction that hangs.
            statement.execute("SET idle_in_transaction_session_timeout = '5s'");
            statement.execute("SET lock_timeout = '2s'");
        }
    }

    // A table that is small when a statement is planned gets a sequential scan, and the plan is cached; for intents,
    // whose number varies, it is slow a minute later. Every statement here has an index.
    private static void useIndexes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET enable_seqscan = off");
            statement.execute("SET enable_hashjoin = off");
            statement.execute("SET enable_mergejoin = off");
        }
    }

    private static boolean tryResume(Connection connection, OwnChain chain, ChainAlarms alarms) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                SELECT last_sequence, encode(last_hash, 'hex'), ended_at IS NULL, number,
                    CASE WHEN ended_at IS NULL THEN pg_try_advisory_lock(21607, number) END
                FROM audit_instances WHERE instance_id = ?""")) {
            query.setObject(1, chain.id());
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    if (!chain.isEmpty()) { // EndedChains removes empty chains that were declared dead
                        alarms.raise(chain, null);
                    }
                    return false;
                }
                boolean open = row.getBoolean(3);
                if (open && !row.getBoolean(5)) {
                    endFormer(connection, row.getInt(4));
                    // The last commit of the former connection is visible only now.
                    return tryResume(connection, chain, alarms);
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

    // A chain that was modified is never continued.
    private static void abandon(Connection connection, OwnChain chain) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE audit_instances SET ended_at = CURRENT_TIMESTAMP WHERE instance_id = ? AND ended_at IS NULL"
                        + " AND NOT EXISTS (SELECT FROM tool_intents WHERE instance_id = ? AND permit_until IS NULL)")) {
            update.setObject(1, chain.id());
            update.setObject(2, chain.id());
            update.executeUpdate();
        }
        try (Statement unlock = connection.createStatement()) {
            unlock.execute(
                    "SELECT pg_advisory_unlock_all()"); // its open intents are closed like those of a dead instance
        }
    }

    // The database may not have noticed yet that our former connection is gone.
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

    // Locked before the commit that makes the row visible, so that others never see it unlocked.
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

    /** Announces links that are about to be sent. */
    void expect(List<ChainLink> links) {
        chain.expect(links);
    }

    /** The announced links are durable. */
    void advance() {
        chain.advance();
    }

    /** Whether the head in the database is the expected one. */
    boolean matchesDatabase() throws SQLException {
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

    /** Statements that run in autocommit mode. */
    interface AutoCommitWork {
        void write() throws SQLException;
    }

    /** Runs statements that commit by themselves; outside a transaction. */
    void withAutoCommit(AutoCommitWork work) throws SQLException {
        connection.setAutoCommit(true);
        try {
            work.write();
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(false);
            }
        }
    }

    /** Marks the instance as ended, unless it has open intents. */
    void end() throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                UPDATE audit_instances SET ended_at = CURRENT_TIMESTAMP WHERE instance_id = ?
                AND NOT EXISTS (SELECT FROM tool_intents WHERE instance_id = ? AND permit_until IS NULL)""")) {
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
            // The database releases the lock of a lost connection.
        }
    }
}
