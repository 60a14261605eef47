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
 * This process among the instances that run on its database: the one id that everything it does there goes by, and the
 * one sign of life. The sign has two halves, both given with the connection of the {@link DatabaseListener}: a time of
 * the database's clock, updated twice a second, for those who allow a short absence, and an advisory lock, which the
 * database releases when the process ends, however it ended, for those who must know at once.
 */
public final class RunningInstance implements AutoCloseable {
    private static final TypeReference<Map<String, String>> PLACES = new TypeReference<>() {};
    private static final Duration HEARTBEAT = Duration.ofMillis(500);
    private static final Duration CONFLICT_CHECK = Duration.ofSeconds(5);
    private static final Duration LONGEST_JOIN = Duration.ofSeconds(30);

    private static final String ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(21609, 0)";

    // Not by taking the lock: whoever shares our connection holds it too.
    private static final String DELETE_DEAD = """
            DELETE FROM instances i WHERE instance_id <> ? AND NOT EXISTS (
                SELECT FROM pg_locks l
                WHERE l.locktype = 'advisory' AND l.classid = 21609 AND l.objid::bigint = i.number AND l.granted
                  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))""";

    private static final String WITH_PLACES = """
            SELECT host, process_id, started_at, places::text FROM instances
            WHERE instance_id <> ? AND places <> '{}' ORDER BY number""";

    // Locked before the commit that makes the row visible, so that it is never seen without its lock.
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

    /** What became of an attempt to join. */
    public sealed interface Attempt {
        /** The instance is registered. */
        record Joined(RunningInstance instance) implements Attempt {}

        /** An instance that runs keeps its files elsewhere. */
        record Conflict(GateInstance other) implements Attempt {}
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

    /** Registers an instance that keeps no files which others must see, in the background. */
    public static RunningInstance start(DatabaseListener listener, String host) {
        return new RunningInstance(listener, GateInstance.here(host, Map.of()), null, _ -> {});
    }

    /**
     * Registers an instance unless one that runs keeps its files in other places. One at a time can do so, which decides
     * between two that start at once.
     *
     * @param settingKey the admin key of its setting, which lasts while it runs; {@code null} if it has none
     * @param onConflict told, every few seconds, of an instance with other files that was there when this one came back
     *     after an outage; this one goes on, since stopping it would interrupt its calls
     */
    public static Attempt join(
            DatabaseListener listener,
            GateInstance gate,
            @Nullable SecretDigest settingKey,
            Consumer<GateInstance> onConflict)
            throws SQLException {
        RunningInstance instance = new RunningInstance(listener, gate, settingKey, onConflict);
        try {
            Optional<GateInstance> conflict = instance.joined.get(LONGEST_JOIN.toMillis(), TimeUnit.MILLISECONDS);
            if (conflict.isEmpty()) {
                return new Attempt.Joined(instance);
            }
            instance.close();
            return new Attempt.Conflict(conflict.get());
        } catch (TimeoutException unanswered) {
            instance.close();
            throw new SQLTimeoutException("It did not answer while this server registered itself.", unanswered);
        } catch (InterruptedException hurry) {
            instance.close();
            Thread.currentThread().interrupt();
            throw new SQLException("The start was interrupted.", hurry);
        } catch (ExecutionException unexpected) {
            instance.close();
            throw new SQLException("This server could not be registered.", unexpected);
        }
    }

    /** Under which everything is noted that this process holds in the database. */
    public UUID id() {
        return id;
    }

    /** The connection by which it is seen. */
    public DatabaseListener listener() {
        return listener;
    }

    /** Is no more; what it holds is free for others. */
    @Override
    public void close() {
        subscription.close();
    }

    /** Registers with every new connection, and says twice a second that the instance is there. */
    private final class Heartbeat implements DatabaseListener.Watcher {
        private @Nullable GateInstance conflict;
        /** There was a conflict at the start, so this instance never came to be. */
        private boolean refused;

        private long checked;

        @Override
        public String subject() {
            return "this instance among the others";
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
        public void look(Connection connection) throws SQLException {
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
