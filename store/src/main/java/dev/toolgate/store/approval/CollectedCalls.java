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
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** What is known of a call under its request id, for whoever comes back for its outcome. */
public final class CollectedCalls {
    // Whose call it is stands in the question, in the intent or in the record; the key alone does not say.
    private static final String FIND = """
            WITH call AS (
                (SELECT 1 AS rank, agent_id, tool_name, approval_id, verdict IS NULL AS pending, expires_at,
                     ended_at IS NOT NULL AS ended
                 FROM approvals WHERE tenant_id = :tenant AND request_id = :request ORDER BY asked_at DESC LIMIT 1)
                UNION ALL
                (SELECT 2, agent_id, tool_name, NULL, false, NULL, true FROM tool_audit_logs
                 WHERE tenant_id = :tenant AND request_id = :request ORDER BY timestamp DESC, id DESC LIMIT 1)
                UNION ALL
                (SELECT 3, agent_id, tool_name, NULL, false, NULL, false FROM tool_intents
                 WHERE tenant_id = :tenant AND request_id = :request LIMIT 1))
            SELECT call.agent_id, call.tool_name, call.approval_id, call.pending, call.expires_at,
                call.ended OR k.completed_at IS NOT NULL AS completed, k.outcome
            FROM call LEFT JOIN request_keys k ON k.tenant_id = :tenant AND k.request_id = :request
            ORDER BY rank LIMIT 1""";

    private final Statements statements;

    public CollectedCalls(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * A call and how it stands.
     *
     * @param question what it is or was held by; {@code null} if nobody had to be asked
     * @param expiresAt until when the question can be answered
     * @param outcome {@code null} unless it has ended and its outcome is kept
     */
    public record Collected(
            AgentId agent,
            String tool,
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

    /** The call of a tenant under this request id. */
    public Optional<Collected> find(TenantId tenant, RequestId request) {
        return statements.run(handle -> handle.createQuery(FIND)
                .bind("tenant", tenant.value())
                .bind("request", request.value())
                .map((row, _) -> read(row))
                .findOne());
    }

    private static Collected read(ResultSet row) throws SQLException {
        String outcome = row.getString("outcome");
        return new Collected(
                new AgentId(row.getString("agent_id")),
                row.getString("tool_name"),
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
