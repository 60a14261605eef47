package dev.toolgate.store.instance;

import dev.toolgate.core.schema.Json;
import dev.toolgate.store.Sessions;
import dev.toolgate.store.identity.SecretDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * The list of gates that run on this database. Each holds an advisory lock on a connection of its own, which the database
 * gives back when the gate is gone, however it ended, so that nobody has to guess who is alive.
 */
public final class GateInstances {
    private static final TypeReference<Map<String, String>> PLACES = new TypeReference<>() {};

    private final Sessions sessions;

    public GateInstances(Sessions sessions) {
        this.sessions = sessions;
    }

    /** What became of an attempt to join. */
    public sealed interface Attempt {
        /** The gate is on the list. */
        record Joined(Membership membership) implements Attempt {}

        /** A gate that runs keeps its files elsewhere. */
        record Conflict(GateInstance other) implements Attempt {}
    }

    /**
     * Puts a gate on the list unless one that runs keeps its files in other places. One gate at a time can do so, which
     * decides between two that start at once.
     *
     * @param settingKey the admin key of its setting, which lasts while it runs; {@code null} if it has none
     */
    public Attempt join(GateInstance gate, @Nullable SecretDigest settingKey) throws SQLException {
        Connection connection = sessions.open();
        boolean joined = false;
        try {
            connection.setAutoCommit(false);
            run(connection, "SELECT pg_advisory_xact_lock(21609, 0)");
            removeDead(connection);
            Optional<GateInstance> conflict = running(connection).stream()
                    .filter(other -> !other.places().equals(gate.places()))
                    .findFirst();
            if (conflict.isPresent()) {
                connection.rollback();
                return new Attempt.Conflict(conflict.get());
            }
            UUID id = insert(connection, gate, settingKey);
            connection.commit();
            connection.setAutoCommit(true);
            joined = true;
            return new Attempt.Joined(new Membership(connection, id));
        } finally {
            if (!joined) {
                connection.close();
            }
        }
    }

    // Whoever can take the lock of a gate knows that it is gone.
    private static void removeDead(Connection connection) throws SQLException {
        run(
                connection,
                "DELETE FROM gate_instances WHERE CASE WHEN true THEN pg_try_advisory_xact_lock(21609, number) END");
    }

    private static List<GateInstance> running(Connection connection) throws SQLException {
        List<GateInstance> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT host, process_id, started_at, places::text FROM gate_instances ORDER BY number")) {
            while (rows.next()) {
                found.add(new GateInstance(
                        rows.getString(1),
                        rows.getLong(2),
                        rows.getTimestamp(3).toInstant(),
                        Json.MAPPER.readValue(rows.getString(4), PLACES)));
            }
        }
        return found;
    }

    private static UUID insert(Connection connection, GateInstance gate, @Nullable SecretDigest settingKey)
            throws SQLException {
        UUID id = UUID.randomUUID();
        try (PreparedStatement insert = connection.prepareStatement("""
                WITH me AS (
                    INSERT INTO gate_instances (instance_id, host, process_id, places, setting_key)
                    VALUES (?, ?, ?, ?::jsonb, ?)
                    RETURNING number)
                SELECT pg_advisory_lock(21609, number) FROM me""")) {
            insert.setObject(1, id);
            insert.setString(2, gate.host());
            insert.setLong(3, gate.processId());
            insert.setString(4, Json.MAPPER.writeValueAsString(gate.places()));
            insert.setBytes(5, settingKey == null ? null : settingKey.bytes());
            insert.execute();
        }
        return id;
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** A gate's place on the list, for as long as it is open and its connection lives. */
    public static final class Membership implements AutoCloseable {
        private final Connection connection;
        private final UUID id;

        private Membership(Connection connection, UUID id) {
            this.connection = connection;
            this.id = id;
        }

        /** Whether the gate is still on the list; its connection may have been lost. */
        public boolean holds() {
            try {
                return connection.isValid(2);
            } catch (SQLException lost) {
                return false;
            }
        }

        @Override
        public void close() throws SQLException {
            try (connection;
                    PreparedStatement delete =
                            connection.prepareStatement("DELETE FROM gate_instances WHERE instance_id = ?")) {
                delete.setObject(1, id);
                delete.executeUpdate();
            }
        }
    }
}
