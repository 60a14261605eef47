package dev.toolgate.store.approval;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** What is known of a call under its request id, for whoever comes back for its outcome. */
public final class CollectedCalls {
    // Whose call it is stands in the question, in the record or in the intent. The outcome is tied to a question by the
    // digest of its call.
    private static final String FIND = """
            WITH call AS (
                SELECT 1 AS rank, agent_id, tool_name, asked_at AS at, approval_id, verdict IS NULL AS pending, expires_at,
                    ended_at IS NOT NULL AS ended, arguments_digest AS digest
                FROM approvals WHERE tenant_id = :tenant AND request_id = :request
                UNION ALL
                SELECT 2, agent_id, tool_name, timestamp, NULL, false, NULL, true, NULL FROM tool_audit_logs
                WHERE tenant_id = :tenant AND request_id = :request
                UNION ALL
                SELECT 3, agent_id, tool_name, timestamp, NULL, false, NULL, false, NULL FROM tool_intents
                WHERE tenant_id = :tenant AND request_id = :request),
            newest AS (
                SELECT DISTINCT ON (agent_id) * FROM call WHERE :agent::text IS NULL OR agent_id = :agent
                ORDER BY agent_id, rank, at DESC)
            SELECT newest.agent_id, newest.tool_name, newest.approval_id, newest.pending, newest.expires_at,
                newest.ended OR k.completed_at IS NOT NULL AS completed, k.outcome,
                ARRAY(SELECT DISTINCT tool_name FROM call WHERE call.agent_id = newest.agent_id) AS tools
            FROM newest LEFT JOIN request_keys k ON k.tenant_id = :tenant AND k.agent_id = newest.agent_id
                AND k.request_id = :request AND (newest.digest IS NULL OR k.body_digest = newest.digest)
            ORDER BY newest.agent_id""";

    private final Statements statements;

    public CollectedCalls(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * A call and how it stands.
     *
     * @param tools every tool that was called under this request id
     * @param question what it is or was held by; {@code null} if nobody had to be asked
     * @param expiresAt until when the question can be answered
     * @param outcome {@code null} unless it has ended and its outcome is kept
     */
    public record Collected(
            AgentId agent,
            String tool,
            Set<String> tools,
            Standing standing,
            @Nullable UUID question,
            @Nullable Instant expiresAt,
            @Nullable Outcome outcome) {}

    /** How a call stands. */
    public enum Standing {
        HELD,
        RUNNING,
        ENDED,
        /** It has ended, and its outcome is no longer kept. */
        FORGOTTEN
    }

    /**
     * The calls of a tenant under this request id, one of each agent that has one.
     *
     * @param agent only this agent's; {@code null} means any
     */
    public List<Collected> find(TenantId tenant, RequestId request, @Nullable AgentId agent) {
        return statements.run(handle -> handle.createQuery(FIND)
                .bind("tenant", tenant.value())
                .bind("request", request.value())
                .bind("agent", agent == null ? null : agent.value())
                .map((row, _) -> read(row))
                .list());
    }

    private static Collected read(ResultSet row) throws SQLException {
        String outcome = row.getString("outcome");
        return new Collected(
                new AgentId(row.getString("agent_id")),
                row.getString("tool_name"),
                Set.of((String[]) row.getArray("tools").getArray()),
                standing(row, outcome),
                row.getObject("approval_id", UUID.class),
                ApprovalRows.timeOrNull(row, "expires_at"),
                outcome == null ? null : OutcomeJson.read(outcome));
    }

    private static Standing standing(ResultSet row, @Nullable String outcome) throws SQLException {
        if (row.getBoolean("completed")) {
            return outcome == null ? Standing.FORGOTTEN : Standing.ENDED;
        }
        return row.getBoolean("pending") ? Standing.HELD : Standing.RUNNING;
    }
}
