package dev.toolgate.store.audit;

import dev.toolgate.core.port.AuditLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of the audit log, in and out. */
final class AuditRows {
    static final String COLUMNS = """
            id, tenant_id, request_id, timestamp, agent_id, session_id, workspace_id, project_id, tool_name, operation,
            parameters, allowed, status, error_code, denial_reason, approved_by, execution_time_ms, result_summary,
            cost, principal, approved_at, approval_reason, approval_rule_id, instance_id, sequence,
            encode(previous_hash, 'hex') AS previous_hash, encode(hash, 'hex') AS hash""";

    private static final String INSERT = """
            WITH head AS (
                UPDATE audit_instances SET last_sequence = ?, last_hash = decode(?, 'hex')
                WHERE instance_id = ? AND last_sequence = ? AND last_hash = decode(?, 'hex') AND ended_at IS NULL
                RETURNING instance_id)
            INSERT INTO $TABLE (
                tenant_id, request_id, timestamp, agent_id, session_id, workspace_id, project_id, tool_name, operation,
                parameters, allowed, status, error_code, denial_reason, approved_by, execution_time_ms, result_summary,
                cost, principal, approved_at, approval_reason, approval_rule_id, sequence, previous_hash, hash, instance_id)
            SELECT unnest(?::text[]), unnest(?::text[]), $TIME unnest(?::bigint[]), unnest(?::text[]),
                unnest(?::text[]), unnest(?::text[]), unnest(?::text[]), unnest(?::text[]), unnest(?::text[]),
                unnest(?::text[])::jsonb, unnest(?::text[])::boolean, unnest(?::text[]), unnest(?::text[]),
                unnest(?::text[]), unnest(?::text[]), unnest(?::text[])::integer, unnest(?::text[]),
                unnest(?::text[])::numeric, unnest(?::text[]), unnest(?::text[])::timestamptz, unnest(?::text[]),
                unnest(?::text[]), unnest(?::bigint[]), unnest(?::bytea[]),
                unnest(?::bytea[]), (SELECT instance_id FROM head)""".replace("$TIME", ColumnArrays.TIME);

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
        try (PreparedStatement insert = connection.prepareStatement(RequestKeyRows.TAKE_ALL + ";" + insertInto(table))) {
            int next = RequestKeyRows.bindAll(connection, insert, calls);
            bind(session, insert, next, rows);
            insert.execute();
        } catch (SQLException failed) {
            throw explained(failed);
        }
    }

    private static String insertInto(String table) {
        return INSERT.replace("$TABLE", table);
    }

    private static List<Row> chained(AuditSession session, List<AuditItem.Ended> calls) {
        List<Row> rows = new ArrayList<>(calls.size());
        long sequence = session.lastSequence();
        String hash = session.lastHash();
        for (AuditItem.Ended call : calls) {
            ChainLink link = ChainLink.after(session.instanceId(), sequence, hash, call.digest());
            rows.add(new Row(call.facts(), link));
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
                .column(row -> row.call().tenantId())
                .column(row -> row.call().requestId())
                .times(row -> row.call().timestamp())
                .column(row -> row.call().agentId())
                .column(row -> row.call().sessionId())
                .column(row -> row.call().workspaceId())
                .column(row -> row.call().projectId())
                .column(row -> row.call().toolName())
                .column(row -> row.call().operation())
                .column(row -> row.call().parameters())
                .column(row -> row.call().allowed())
                .column(row -> row.call().status())
                .column(row -> row.call().errorCode())
                .column(row -> row.call().denialReason())
                .column(row -> row.call().approvedBy())
                .column(row -> row.call().executionTimeMs())
                .column(row -> row.call().resultSummary())
                .column(row -> row.call().cost())
                .column(row -> row.call().principal())
                .column(row -> row.call().approvedAt())
                .column(row -> row.call().approvalReason())
                .column(row -> row.call().approvalRuleId())
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

    static AuditRecord read(ResultSet row) throws SQLException {
        return new AuditRecord(
                row.getLong("id"),
                new CallFacts(
                        row.getString("tenant_id"),
                        row.getString("request_id"),
                        row.getObject("timestamp", OffsetDateTime.class).toInstant(),
                        row.getString("agent_id"),
                        row.getString("session_id"),
                        row.getString("workspace_id"),
                        row.getString("project_id"),
                        row.getString("tool_name"),
                        row.getString("operation"),
                        CanonicalJson.of(row.getString("parameters")),
                        row.getBoolean("allowed"),
                        AuditLog.Status.valueOf(row.getString("status")),
                        row.getString("error_code"),
                        row.getString("denial_reason"),
                        row.getString("approved_by"),
                        row.getObject("execution_time_ms", Integer.class),
                        row.getString("result_summary"),
                        row.getBigDecimal("cost"),
                        row.getString("principal"),
                        timeOrNull(row.getObject("approved_at", OffsetDateTime.class)),
                        row.getString("approval_reason"),
                        row.getString("approval_rule_id")),
                new ChainLink(
                        row.getObject("instance_id", UUID.class),
                        row.getLong("sequence"),
                        row.getString("previous_hash"),
                        row.getString("hash")));
    }

    private static @Nullable Instant timeOrNull(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }

    private record Row(CallFacts call, ChainLink link) {}
}
