package dev.toolgate.store.instance;

import dev.toolgate.core.json.Json;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.identity.SecretDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * Registers this process as an instance in its database, with one id and one heartbeat. The heartbeat has two parts,
 * both on the connection of the {@link DatabaseListener}: a timestamp, updated twice a second, for checks that tolerate
 * a short absence, and an advisory lock, which the database releases as soon as the process ends, for checks that must
 * be exact.
 */
public final class RunningInstance implements AutoCloseable {
    private static final TypeReference<Map<String, String>> PLACES = new TypeReference<>() {};
    private static final Duration HEARTBEAT = Duration.ofMillis(500);
    private static final Duration CONFLICT_CHECK = Duration.ofSeconds(5);
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(30);

    private static final String ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(21609, 0)";

    // Not by trying to take the lock: instances that share this connection hold it too.
    private static final String DELETE_DEAD = """
            DELETE FROM instances i WHERE instance_id <> ? AND NOT EXISTS (
                SELECT FROM pg_locks l
                WHERE l.locktype = 'advisory' AND l.classid = 21609 AND l.objid::bigint = i.number AND l.granted
                  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))""";

    private static final String WITH_PLACES = """
            SELECT host, process_id, started_at, places::text FROM instances
            WHERE instance_id <> ? AND places <> '{}' ORDER BY number""";

    // Locked before the commit that makes the row visible, so that others never see it unlocked.
    private static final String REGISTER = """
            WITH me AS (
                INSERT INTO instances (instance_id, host, process_id, started_at, places, setting_key)
                VALUES (?, ?, ?, ?, ?::jsonb, ?)
                ON CONFLICT (instance_id) DO UPDATE SET seen_at = CURRENT_TIMESTAMP, places = excluded.places
                RETURNING number)
            SELECT pg_advisory_lock(21609, number) FROM me""";

    private static final String HEARTBEAT_SQL =
            "UPDATE instances SET seen_at = CURRENT_TIMESTAMP WHERE instance_id = ?";

    private static final String DELETE = """
            WITH me AS (DELETE FROM instances WHERE instance_id = ? RETURNING number)
            SELECT pg_advisory_unlock(21609, number) FROM me""";

    private final UUID id = UUID.randomUUID();
    private final DatabaseListener listener;
    private final GateInstance gate;
    private final @Nullable SecretDigest settingKey;
    private final Consumer<GateInstance> onConflict;
    private final CompletableFuture<Optional<GateInstance>> joined = new CompletableFuture<>();
    private final DatabaseListener.Subscription subscription;

    /** The result of joining. */
    public sealed interface JoinResult {
        /** The instance is registered. */
        record Joined(RunningInstance instance) implements JoinResult {}

        /** A running instance has other file locations. */
        record Conflict(GateInstance other) implements JoinResult {}
    }

    private RunningInstance(
            DatabaseListener listener,
            GateInstance gate,
            @Nullable SecretDigest settingKey,
            Consumer<GateInstance> onConflict) {
        this.listener = listener;
        this.gate = gate;
        this.settingKey = settingKey;
        this.onConflict = onConflict;
        this.subscription = listener.subscribe(new Heartbeat());
    }

    /** Registers an instance without shared files, in the background. */
    public static RunningInstance start(DatabaseListener listener, String host) {
        return new RunningInstance(listener, GateInstance.here(host, Map.of()), null, _ -> {});
    }

    /**
     * Registers an instance, unless a running one has other file locations. Registrations are serialized, so that of
     * two concurrent ones the first wins.
     *
     * @param settingKey the admin key of its setting, valid while it runs; {@code null} if it has none
     * @param onConflict called every few seconds with an instance that has other file locations and registered while
     *     this one was disconnected; this one keeps running, because stopping it would interrupt its calls
     */
    public static JoinResult join(
            DatabaseListener listener,
            GateInstance gate,
            @Nullable SecretDigest settingKey,
            Consumer<GateInstance> onConflict)
            throws SQLException {
        RunningInstance instance = new RunningInstance(listener, gate, settingKey, onConflict);
        try {
            Optional<GateInstance> conflict = instance.joined.get(JOIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (conflict.isEmpty()) {
                return new JoinResult.Joined(instance);
            }
            instance.close();
            return new JoinResult.Conflict(conflict.get());
        } catch (TimeoutException unanswered) {
            instance.close();
            throw new SQLTimeoutException("the registration of this server timed out", unanswered);
        } catch (InterruptedException interrupted) {
            instance.close();
            Thread.currentThread().interrupt();
            throw new SQLException("the registration of this server was interrupted", interrupted);
        } catch (ExecutionException unexpected) {
            instance.close();
            throw new SQLException("this server could not be registered", unexpected);
        }
    }

    /** The id of this process in the database. */
    public UUID id() {
        return id;
    }

    /** The listener whose connection carries the heartbeat. */
    public DatabaseListener listener() {
        return listener;
    }

    /** Unregisters the instance; others can take over its calls. */
    @Override
    public void close() {
        subscription.close();
    }

    /** Registers with every new connection, and updates the timestamp twice a second. */
    private final class Heartbeat implements DatabaseListener.Watcher {
        private @Nullable GateInstance conflict;
        /** There was a conflict at the start, so this instance is not registered. */
        private boolean refused;

        private long checked;

        @Override
        public String subject() {
            return "the heartbeat of this instance";
        }

        @Override
        public @Nullable String channel() {
            return null;
        }

        @Override
        public Duration interval() {
            return HEARTBEAT;
        }

        @Override
        public void connected(Connection connection) throws SQLException {
            register(connection);
        }

        @Override
        public void poll(Connection connection) throws SQLException {
            if (refused) {
                return;
            }
            boolean again = conflict != null && System.nanoTime() - checked > CONFLICT_CHECK.toNanos();
            if (again || updated(connection, HEARTBEAT_SQL) == 0) {
                register(connection);
            }
        }

        private void register(Connection connection) throws SQLException {
            connection.setAutoCommit(false);
            try {
                run(connection, ONE_AT_A_TIME);
                updated(connection, DELETE_DEAD);
                conflict = conflicting(connection).orElse(null);
                refused = conflict != null && !joined.isDone();
                if (!refused) {
                    insert(connection, conflict == null ? gate.places() : Map.of());
                }
                connection.commit();
            } catch (SQLException | RuntimeException failed) {
                connection.rollback();
                throw failed;
            } finally {
                connection.setAutoCommit(true);
            }
            checked = System.nanoTime();
            GateInstance other = conflict;
            if (!joined.complete(Optional.ofNullable(other)) && other != null) {
                onConflict.accept(other);
            }
        }

        private Optional<GateInstance> conflicting(Connection connection) throws SQLException {
            return gate.places().isEmpty()
                    ? Optional.empty()
                    : others(connection).stream()
                            .filter(other -> !other.places().equals(gate.places()))
                            .findFirst();
        }

        @Override
        public void leave(Connection connection) throws SQLException {
            try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
                delete.setObject(1, id);
                delete.execute();
            }
        }
    }

    private List<GateInstance> others(Connection connection) throws SQLException {
        List<GateInstance> found = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(WITH_PLACES)) {
            query.setObject(1, id);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.add(new GateInstance(
                            rows.getString(1),
                            rows.getLong(2),
                            rows.getTimestamp(3).toInstant(),
                            Json.MAPPER.readValue(rows.getString(4), PLACES)));
                }
            }
        }
        return found;
    }

    private void insert(Connection connection, Map<String, String> places) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(REGISTER)) {
            insert.setObject(1, id);
            insert.setString(2, gate.host());
            insert.setLong(3, gate.processId());
            insert.setTimestamp(4, Timestamp.from(gate.startedAt()));
            insert.setString(5, Json.MAPPER.writeValueAsString(places));
            insert.setBytes(6, settingKey == null ? null : settingKey.bytes());
            insert.execute();
        }
    }

    private int updated(Connection connection, String sql) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setObject(1, id);
            return update.executeUpdate();
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
