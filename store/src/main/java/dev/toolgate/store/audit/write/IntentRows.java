package dev.toolgate.store.audit.write;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.audit.record.AuditColumn;
import dev.toolgate.store.audit.record.AuditColumns;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.ColumnArrays;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls that have begun and whose outcome is not on record yet. */
final class IntentRows {
    private static final String INSERT = """
            INSERT INTO tool_intents ($NAMES, number, keyed, instance_id)
            SELECT $VALUES, unnest(?::bigint[]), unnest(?::text[])::boolean, ?""".replace("$NAMES", AuditColumns.names(AuditColumns.OF_INTENTS))
            .replace("$VALUES", AuditColumns.values(AuditColumns.OF_INTENTS));

    /** What the record of every interrupted call has in common; nothing else of it is used. */
    private static final CallFacts INTERRUPTED = CallFacts.of(new AuditLog.Intent(
            AuditLog.Kind.CALL,
            new RequestId("-"),
            Caller.local(),
            CallContext.NONE,
            null,
            "-",
            Call.EXECUTE,
            Json.MAPPER.createObjectNode(),
            null,
            null,
            Instant.EPOCH));

    private IntentRows() {}

    static void insert(AuditSession session, List<AuditItem.Intended> intents) throws SQLException {
        Connection connection = session.connection();
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            int last = new ColumnArrays<>(connection, insert, 1, intents)
                    .columns(AuditColumns.OF_INTENTS, AuditItem.Intended::facts)
                    .numbers(AuditItem.Intended::number)
                    .column(intent -> intent.claims() != null)
                    .next();
            insert.setObject(last, session.instanceId());
            insert.executeUpdate();
        }
    }

    /** An intent that is no more; {@code keyed} if it had taken the request id. */
    record Former(CallFacts facts, boolean keyed) {}

    /** Removes intents whose calls have ended. */
    static void close(AuditSession session, List<Long> numbers) throws SQLException {
        try (PreparedStatement delete = session.connection()
                .prepareStatement("DELETE FROM tool_intents WHERE instance_id = ? AND number = ANY (?)")) {
            delete.setObject(1, session.instanceId());
            delete.setArray(2, session.connection().createArrayOf("bigint", numbers.toArray()));
            delete.executeUpdate();
        }
    }

    /**
     * Removes intents and says what they were.
     *
     * @param numbers which ones; {@code null} means all of the instance
     */
    static List<Former> take(Connection connection, UUID instanceId, @Nullable Collection<Long> numbers)
            throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("""
                DELETE FROM tool_intents WHERE instance_id = ? AND (?::bigint[] IS NULL OR number = ANY (?::bigint[]))
                RETURNING *""")) {
            delete.setObject(1, instanceId);
            Array which = numbers == null ? null : connection.createArrayOf("bigint", numbers.toArray());
            delete.setArray(2, which);
            delete.setArray(3, which);
            try (ResultSet rows = delete.executeQuery()) {
                List<Former> taken = new ArrayList<>();
                while (rows.next()) {
                    taken.add(new Former(CallFacts.read(new Cells(rows)), rows.getBoolean("keyed")));
                }
                return taken;
            }
        }
    }

    /** An intent as the record of a call of which nothing else is known. */
    private record Cells(ResultSet row) implements CallFacts.Values {
        @Override
        public <T> @Nullable T get(AuditColumn<T> column) throws SQLException {
            return column.place() == AuditColumn.Place.INTENT_AND_RECORD
                    ? column.read(row)
                    : column.value().apply(INTERRUPTED);
        }
    }
}
