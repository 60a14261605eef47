package dev.toolgate.store.audit;

import dev.toolgate.core.port.AuditLog;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calls that have begun and whose outcome is not on record yet. */
final class IntentRows {
    private static final String INSERT = """
            INSERT INTO tool_intents (
                instance_id, number, tenant_id, request_id, timestamp, agent_id, session_id, workspace_id, project_id,
                tool_name, operation, parameters, principal, keyed)
            SELECT ?, number::bigint, tenant_id, request_id, timestamp::timestamptz, agent_id, session_id, workspace_id,
                project_id, tool_name, operation, parameters::jsonb, principal, keyed::boolean
            FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
            AS row (number, tenant_id, request_id, timestamp, agent_id, session_id, workspace_id, project_id, tool_name,
                operation, parameters, principal, keyed)""";

    private IntentRows() {}

    static void insert(AuditSession session, List<AuditItem.Intended> intents) throws SQLException {
        Connection connection = session.connection();
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setObject(1, session.instanceId());
            new ColumnArrays<>(connection, insert, 2, intents)
                    .column(AuditItem.Intended::number)
                    .column(intent -> intent.facts().tenantId())
                    .column(intent -> intent.facts().requestId())
                    .column(intent -> intent.facts().timestamp())
                    .column(intent -> intent.facts().agentId())
                    .column(intent -> intent.facts().sessionId())
                    .column(intent -> intent.facts().workspaceId())
                    .column(intent -> intent.facts().projectId())
                    .column(intent -> intent.facts().toolName())
                    .column(intent -> intent.facts().operation())
                    .column(intent -> intent.facts().parameters())
                    .column(intent -> intent.facts().principal())
                    .column(intent -> intent.claims() != null);
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
                    taken.add(new Former(read(rows), rows.getBoolean("keyed")));
                }
                return taken;
            }
        }
    }

    private static CallFacts read(ResultSet row) throws SQLException {
        return new CallFacts(
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
                true,
                AuditLog.Status.INTERRUPTED,
                null,
                null,
                null,
                null,
                CallFacts.INTERRUPTED,
                null,
                row.getString("principal"));
    }
}
