package dev.toolgate.store.audit.write;

import dev.toolgate.store.audit.record.AuditColumn;
import dev.toolgate.store.audit.record.AuditColumns;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.audit.record.ColumnArrays;
import dev.toolgate.store.audit.record.RecordTexts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of the audit log, in and out. */
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
                (SELECT instance_id FROM head)""".replace("$NAMES", AuditColumns.names(AuditColumns.ALL))
            .replace("$VALUES", AuditColumns.values(AuditColumns.ALL));
    // Made once: the driver finds a statement that it has prepared by its text.
    private static final String INSERT_INTO_MONTHS = INSERT.replace("$TABLE", AuditTables.MONTHS);
    private static final String INSERT_INTO_REST = INSERT.replace("$TABLE", AuditTables.REST);
    private static final String TAKE_AND_INSERT_INTO_MONTHS = RequestKeyRows.TAKE_ALL + ";" + INSERT_INTO_MONTHS;
    private static final String TAKE_AND_INSERT_INTO_REST = RequestKeyRows.TAKE_ALL + ";" + INSERT_INTO_REST;

    private static final String WITHOUT_VALUE = "23502";

    private AuditRows() {}

    /**
     * Appends to the chain of a session; the session goes on once this is committed.
     *
     * @param table {@link AuditTables#MONTHS}, or {@link AuditTables#REST} for calls that no month takes
     * @return false if there was nothing to append
     */
    static boolean isAppended(AuditSession session, List<AuditItem.Ended> calls, String table) throws SQLException {
        if (calls.isEmpty()) {
            return false;
        }
        List<Row> rows = chained(session, calls);
        Connection connection = session.connection();
        try (PreparedStatement insert = connection.prepareStatement(insertInto(table))) {
            bind(session, insert, 1, rows);
            insert.executeUpdate();
        } catch (SQLException failed) {
            throw explained(failed);
        }
        return true;
    }

    /**
     * Takes the keys of these calls and appends them, all in one round trip to the database and durable when this
     * returns. The connection must commit by itself: statements that are sent together then succeed or fail together.
     */
    static void appendAtOnce(AuditSession session, List<AuditItem.Ended> calls, String table) throws SQLException {
        List<Row> rows = chained(session, calls);
        Connection connection = session.connection();
        try (PreparedStatement insert = connection.prepareStatement(takeAndInsertInto(table))) {
            int next = RequestKeyRows.bindAll(connection, insert, calls);
            bind(session, insert, next, rows);
            insert.execute();
        } catch (SQLException failed) {
            throw explained(failed);
        }
    }

    private static String insertInto(String table) {
        return table.equals(AuditTables.MONTHS) ? INSERT_INTO_MONTHS : INSERT_INTO_REST;
    }

    private static String takeAndInsertInto(String table) {
        return table.equals(AuditTables.MONTHS) ? TAKE_AND_INSERT_INTO_MONTHS : TAKE_AND_INSERT_INTO_REST;
    }

    private static List<Row> chained(AuditSession session, List<AuditItem.Ended> calls) {
        List<Row> rows = new ArrayList<>(calls.size());
        long sequence = session.lastSequence();
        String hash = session.lastHash();
        for (AuditItem.Ended call : calls) {
            ChainLink link = ChainLink.after(session.instanceId(), sequence, hash, call.digest());
            rows.add(new Row(call.texts(), link));
            sequence = link.sequence();
            hash = link.hash();
        }
        session.expect(rows.stream().map(Row::link).toList());
        return rows;
    }

    private static void bind(AuditSession session, PreparedStatement insert, int first, List<Row> rows)
            throws SQLException {
        ChainLink last = rows.getLast().link();
        insert.setLong(first, last.sequence());
        insert.setString(first + 1, last.hash());
        insert.setObject(first + 2, session.instanceId());
        insert.setLong(first + 3, session.lastSequence());
        insert.setString(first + 4, session.lastHash());
        new ColumnArrays<>(session.connection(), insert, first + 5, rows)
                .records(Row::texts)
                .numbers(row -> row.link().sequence())
                .hex(row -> row.link().previousHash())
                .hex(row -> row.link().hash());
    }

    // Without a head there is no instance, which no row can do without.
    private static SQLException explained(SQLException failed) {
        return WITHOUT_VALUE.equals(failed.getSQLState())
                ? new SQLException("This instance has been declared dead, or somebody else writes its chain.", failed)
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
