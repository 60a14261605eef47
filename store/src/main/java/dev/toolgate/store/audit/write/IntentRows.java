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
import dev.toolgate.store.audit.record.FilledColumns;
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

/** Reads and writes intents: calls that have started and whose outcome is not recorded yet. */
final class IntentRows {
    /** Fails if this instance was declared dead. */
    private static final String INSERT = """
            INSERT INTO tool_intents ($NAMES, number, keyed, permit_until, instance_id)
            SELECT $VALUES, unnest(?::bigint[]), unnest(?::text[])::boolean, unnest(?::text[])::timestamptz,
                (SELECT instance_id FROM audit_instances WHERE instance_id = ? AND ended_at IS NULL)""";

    static final String CLOSE = "DELETE FROM tool_intents WHERE instance_id = ? AND number = ANY (?)";

    /** A template for the records of interrupted calls; only the columns that intents do not have are used. */
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

    /** The statement that inserts intents with values in these columns. */
    static String insertText(FilledColumns filled) {
        return INSERT.replace("$NAMES", AuditColumns.names(filled.columns()))
                .replace("$VALUES", AuditColumns.values(filled.columns()));
    }

    static FilledColumns filled(List<AuditItem.Intended> intents) {
        return FilledColumns.of(intents.stream().map(AuditItem.Intended::texts).toList())
                .ofIntents();
    }

    static void insert(OpenChain open, List<AuditItem.Intended> intents) throws SQLException {
        FilledColumns filled = FilledColumns.ALL.ofIntents();
        try (PreparedStatement insert = open.connection().prepareStatement(insertText(filled))) {
            bindInsert(open, insert, 1, filled, intents);
            insert.executeUpdate();
        }
    }

    /**
     * Binds intents to their statement.
     *
     * @return the first parameter after them
     */
    static int bindInsert(
            OpenChain open, PreparedStatement insert, int first, FilledColumns filled, List<AuditItem.Intended> intents)
            throws SQLException {
        int last = new ColumnArrays<>(open.connection(), insert, first, intents)
                .records(filled, AuditItem.Intended::texts)
                .numbers(AuditItem.Intended::number)
                .column(intent -> intent.claims() != null)
                .column(AuditItem.Intended::permitUntil)
                .next();
        insert.setObject(last, open.instanceId());
        return last + 1;
    }

    /** A removed intent; {@code keyed} if it had taken the request key. */
    record Former(CallFacts facts, boolean keyed) {}

    /** Removes intents whose calls have ended. */
    static void close(OpenChain open, List<Long> numbers) throws SQLException {
        try (PreparedStatement delete = open.connection().prepareStatement(CLOSE)) {
            bindClose(open, delete, 1, numbers);
            delete.executeUpdate();
        }
    }

    /**
     * Binds intents to {@link #CLOSE}.
     *
     * @return the first parameter after them
     */
    static int bindClose(OpenChain open, PreparedStatement delete, int first, List<Long> numbers) throws SQLException {
        delete.setObject(first, open.instanceId());
        delete.setArray(first + 1, open.connection().createArrayOf("bigint", numbers.toArray()));
        return first + 2;
    }

    /** Whether an intent of this instance is in the table. */
    static boolean isOpen(OpenChain open, long number) throws SQLException {
        try (PreparedStatement query =
                open.connection().prepareStatement("SELECT FROM tool_intents WHERE instance_id = ? AND number = ?")) {
            query.setObject(1, open.instanceId());
            query.setLong(2, number);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        } finally {
            open.connection().commit();
        }
    }

    /**
     * Removes intents and returns them. Permits are not affected: their callers run the tools, independently of the
     * instance.
     *
     * @param numbers which ones; {@code null} for all of the instance
     */
    static List<Former> take(Connection connection, UUID instanceId, @Nullable Collection<Long> numbers)
            throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("""
                DELETE FROM tool_intents
                WHERE instance_id = ? AND permit_until IS NULL AND (?::bigint[] IS NULL OR number = ANY (?::bigint[]))
                RETURNING *""")) {
            delete.setObject(1, instanceId);
            Array which = numbers == null ? null : connection.createArrayOf("bigint", numbers.toArray());
            delete.setArray(2, which);
            delete.setArray(3, which);
            return former(delete);
        }
    }

    /** The intents that a statement returns. */
    static List<Former> former(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            List<Former> found = new ArrayList<>();
            while (rows.next()) {
                found.add(new Former(facts(rows), rows.getBoolean("keyed")));
            }
            return found;
        }
    }

    /** The record of an interrupted call, from the row of its intent. */
    static CallFacts facts(ResultSet row) throws SQLException {
        return CallFacts.read(new Cells(row));
    }

    /** Reads an intent as the record of an interrupted call. */
    private record Cells(ResultSet row) implements CallFacts.Values {
        @Override
        public <T> @Nullable T get(AuditColumn<T> column) throws SQLException {
            return column.place() == AuditColumn.Place.INTENT_AND_RECORD
                    ? column.read(row)
                    : column.value().apply(INTERRUPTED);
        }
    }
}
