package dev.toolgate.store.audit.write;

import dev.toolgate.store.audit.record.AuditColumn;
import dev.toolgate.store.audit.record.AuditColumns;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.audit.record.ColumnArrays;
import dev.toolgate.store.audit.record.FilledColumns;
import dev.toolgate.store.audit.record.RecordTexts;
import dev.toolgate.store.requestkey.KeyRequest.StoredId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and writes rows of the audit log. */
public final class AuditRows {
    public static final String COLUMNS = "id, " + AuditColumns.names(AuditColumns.ALL)
            + ", instance_id, sequence, encode(previous_hash, 'hex') AS previous_hash, encode(hash, 'hex') AS hash";

    private static final String INSERT = """
            WITH head AS (
                UPDATE audit_instances SET last_sequence = ?, last_hash = decode(?, 'hex')
                WHERE instance_id = ? AND last_sequence = ? AND last_hash = decode(?, 'hex') AND ended_at IS NULL
                RETURNING instance_id)
            INSERT INTO $TABLE ($NAMES, sequence, previous_hash, hash, instance_id)
            SELECT $VALUES, unnest(?::bigint[]), unnest(?::bytea[]), unnest(?::bytea[]),
                (SELECT instance_id FROM head)""";
    /**
     * The maximum number of cached statements; beyond it, a batch with a new combination of columns uses all columns.
     */
    private static final int MAX_TEXTS = 64;
    // Cached, since the driver finds a prepared statement by its text.
    private static final Map<CombinedStatement, String> TEXTS = new ConcurrentHashMap<>();

    private static final String WITHOUT_VALUE = "23502";

    private AuditRows() {}

    /**
     * Appends to a chain; the chain advances once this is committed.
     *
     * @param table {@link AuditTables#MONTHS}, or {@link AuditTables#REST} for calls without a partition
     * @return false if there was nothing to append
     */
    static boolean append(OpenChain open, List<AuditItem.Ended> calls, String table) throws SQLException {
        if (calls.isEmpty()) {
            return false;
        }
        List<Row> rows = chained(open, calls);
        Connection connection = open.connection();
        FilledColumns filled = filledBy(rows);
        try (PreparedStatement insert = connection.prepareStatement(insertText(table, filled))) {
            bind(open, insert, 1, filled, rows);
            insert.executeUpdate();
        } catch (SQLException failed) {
            throw explained(failed);
        }
        return true;
    }

    /**
     * Writes a batch in one round trip; durable when this returns. The connection must be in autocommit mode:
     * statements
     * sent together are then one transaction.
     */
    static void writeInOneRoundTrip(OpenChain open, BatchRows batch, String table) throws SQLException {
        List<Row> rows = batch.calls().isEmpty() ? List.of() : chained(open, batch.calls());
        Connection connection = open.connection();
        CombinedStatement statement = CombinedStatement.of(table, batch, rows);
        try (PreparedStatement all = connection.prepareStatement(statement.text())) {
            int next = 1;
            for (Part part : statement.parts()) {
                next = switch (part) {
                    case TAKEN_KEYS -> RequestKeyRows.bindAll(connection, all, next, batch.claiming());
                    case TAKEN_BY_PERMITS -> PermitRows.bindTaken(connection, all, next, batch.permits());
                    case COMPLETED_KEYS -> RequestKeyRows.bindCompleted(connection, all, next, batch.completed());
                    case REPORTED_KEYS -> PermitRows.bindReported(connection, all, next, batch.reported());
                    case INTENTS -> IntentRows.bindInsert(open, all, next, statement.filledIntents(), batch.intents());
                    case CLOSED_INTENTS -> IntentRows.bindClose(open, all, next, batch.closed());
                    case ENDED_PERMITS -> PermitRows.bindEnd(connection, all, next, ids(batch.reported()));
                    case RECORDS -> bind(open, all, next, statement.filled(), rows);
                };
            }
            all.execute();
        } catch (SQLException failed) {
            throw explained(failed);
        }
    }

    /** The statements of a batch, in the order in which they are sent. */
    private enum Part {
        TAKEN_KEYS,
        TAKEN_BY_PERMITS,
        COMPLETED_KEYS,
        REPORTED_KEYS,
        INTENTS,
        CLOSED_INTENTS,
        ENDED_PERMITS,
        RECORDS;

        boolean isNeededFor(BatchRows batch) {
            return switch (this) {
                case TAKEN_KEYS -> !batch.claiming().isEmpty();
                case TAKEN_BY_PERMITS -> !batch.permits().isEmpty();
                case COMPLETED_KEYS -> !batch.completed().isEmpty();
                case REPORTED_KEYS, ENDED_PERMITS -> !batch.reported().isEmpty();
                case INTENTS -> !batch.intents().isEmpty();
                case CLOSED_INTENTS -> !batch.closed().isEmpty();
                case RECORDS -> !batch.calls().isEmpty();
            };
        }
    }

    /** Several statements that are sent together. */
    private record CombinedStatement(String table, Set<Part> parts, FilledColumns filledIntents, FilledColumns filled) {
        static CombinedStatement of(String table, BatchRows batch, List<Row> rows) {
            Set<Part> parts = EnumSet.noneOf(Part.class);
            for (Part part : Part.values()) {
                if (part.isNeededFor(batch)) {
                    parts.add(part);
                }
            }
            CombinedStatement exact =
                    new CombinedStatement(table, parts, IntentRows.filled(batch.intents()), filledBy(rows));
            return TEXTS.size() < MAX_TEXTS || TEXTS.containsKey(exact)
                    ? exact
                    : new CombinedStatement(table, parts, FilledColumns.ALL.ofIntents(), FilledColumns.ALL);
        }

        String text() {
            return TEXTS.computeIfAbsent(this, CombinedStatement::made);
        }

        private String made() {
            return parts.stream()
                    .map(part -> switch (part) {
                        case TAKEN_KEYS -> RequestKeyRows.TAKE_ALL;
                        case TAKEN_BY_PERMITS -> PermitRows.TAKE_ALL;
                        case COMPLETED_KEYS -> RequestKeyRows.COMPLETE_ALL;
                        case REPORTED_KEYS -> PermitRows.REPORT_ALL;
                        case INTENTS -> IntentRows.insertText(filledIntents);
                        case CLOSED_INTENTS -> IntentRows.CLOSE;
                        case ENDED_PERMITS -> PermitRows.END;
                        case RECORDS -> insertText(table, filled);
                    })
                    .collect(Collectors.joining(";"));
        }
    }

    private static List<StoredId> ids(List<KeyOutcome> outcomes) {
        return outcomes.stream().map(outcome -> StoredId.of(outcome.key())).toList();
    }

    private static FilledColumns filledBy(List<Row> rows) {
        return FilledColumns.of(rows.stream().map(Row::texts).toList());
    }

    private static String insertText(String table, FilledColumns filled) {
        return INSERT.replace("$TABLE", table)
                .replace("$NAMES", AuditColumns.names(filled.columns()))
                .replace("$VALUES", AuditColumns.values(filled.columns()));
    }

    private static List<Row> chained(OpenChain open, List<AuditItem.Ended> calls) {
        List<Row> rows = new ArrayList<>(calls.size());
        long sequence = open.lastSequence();
        String hash = open.lastHash();
        for (AuditItem.Ended call : calls) {
            ChainLink link = ChainLink.after(open.instanceId(), sequence, hash, call.digest());
            rows.add(new Row(call.texts(), link));
            sequence = link.sequence();
            hash = link.hash();
        }
        open.expect(rows.stream().map(Row::link).toList());
        return rows;
    }

    private static int bind(OpenChain open, PreparedStatement insert, int first, FilledColumns filled, List<Row> rows)
            throws SQLException {
        ChainLink last = rows.getLast().link();
        insert.setLong(first, last.sequence());
        insert.setString(first + 1, last.hash());
        insert.setObject(first + 2, open.instanceId());
        insert.setLong(first + 3, open.lastSequence());
        insert.setString(first + 4, open.lastHash());
        return new ColumnArrays<>(open.connection(), insert, first + 5, rows)
                .records(filled, Row::texts)
                .numbers(row -> row.link().sequence())
                .hex(row -> row.link().previousHash())
                .hex(row -> row.link().hash())
                .next();
    }

    // If the instance has ended or its head was not updated, instance_id is null, which violates its NOT NULL
    // constraint.
    private static SQLException explained(SQLException failed) {
        return WITHOUT_VALUE.equals(failed.getSQLState())
                ? new SQLException("This instance was declared dead, or its chain was modified.", failed)
                : failed;
    }

    public static AuditRecord read(ResultSet row) throws SQLException {
        return new AuditRecord(
                row.getLong("id"),
                CallFacts.read(new Cells(row)),
                new ChainLink(
                        row.getObject("instance_id", UUID.class),
                        row.getLong("sequence"),
                        row.getString("previous_hash"),
                        row.getString("hash")));
    }

    private record Cells(ResultSet row) implements CallFacts.Values {
        @Override
        public <T> @Nullable T get(AuditColumn<T> column) throws SQLException {
            return column.read(row);
        }
    }

    private record Row(RecordTexts texts, ChainLink link) {}
}
