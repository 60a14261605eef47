package dev.toolgate.store.mcp;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

/**
 * The calls of MCP clients that may wait for an approval. A repeated call of the same caller has the same request id
 * until its outcome is collected; after that it is a new call.
 */
public final class PendingCalls {
    private static final int DELETE_BATCH = 10_000;

    private final Statements statements;

    public PendingCalls(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * The caller of a call.
     *
     * @param principal of the key or token that was used for the agent
     */
    public record CallOwner(TenantId tenant, AgentId agent, String principal) {}

    /**
     * A stored call.
     *
     * @param state whether its caller has withdrawn it
     */
    public record PendingCall(RequestId requestId, String tool, Instant createdAt, State state) {}

    /** Whether a caller has withdrawn its call. */
    public enum State {
        WANTED,
        WITHDRAWN
    }

    /**
     * Returns the pending call with the same digest, or stores this one under the given request id.
     *
     * @param digest of the tool and the arguments
     */
    public PendingCall begin(CallOwner owner, String tool, byte[] digest, RequestId fresh) {
        return statements.run(handle -> handle.createQuery("""
                        INSERT INTO mcp_pending_calls (tenant_id, agent_id, principal, request_id, tool_name, call_digest)
                        VALUES (:tenant, :agent, :principal, :request, :tool, decode(:digest, 'hex'))
                        ON CONFLICT (tenant_id, agent_id, principal, call_digest) WHERE call_digest IS NOT NULL
                        DO UPDATE SET tool_name = excluded.tool_name
                        RETURNING request_id, tool_name, created_at, withdrawn""")
                .bind("tenant", owner.tenant().value())
                .bind("agent", owner.agent().value())
                .bind("principal", owner.principal())
                .bind("request", fresh.value())
                .bind("tool", tool)
                .bind("digest", HexFormat.of().formatHex(digest))
                .map((row, _) -> pending(row))
                .one());
    }

    /** Stores a call whose request id the caller chose, so that it can be queried as a task. */
    public PendingCall note(CallOwner owner, String tool, RequestId request) {
        return statements.run(handle -> handle.createQuery("""
                        INSERT INTO mcp_pending_calls (tenant_id, agent_id, principal, request_id, tool_name)
                        VALUES (:tenant, :agent, :principal, :request, :tool)
                        ON CONFLICT (tenant_id, agent_id, request_id) DO UPDATE SET tool_name = excluded.tool_name
                        RETURNING request_id, tool_name, created_at, withdrawn""")
                .bind("tenant", owner.tenant().value())
                .bind("agent", owner.agent().value())
                .bind("principal", owner.principal())
                .bind("request", request.value())
                .bind("tool", tool)
                .map((row, _) -> pending(row))
                .one());
    }

    /** A call of this caller by its request id. */
    public Optional<PendingCall> find(CallOwner owner, RequestId request) {
        return statements.query(handle -> handle.createQuery("""
                        SELECT request_id, tool_name, created_at, withdrawn FROM mcp_pending_calls
                        WHERE tenant_id = :tenant AND agent_id = :agent AND principal = :principal
                          AND request_id = :request""")
                .bind("tenant", owner.tenant().value())
                .bind("agent", owner.agent().value())
                .bind("principal", owner.principal())
                .bind("request", request.value())
                .map((row, _) -> pending(row))
                .findOne());
    }

    /** Whether this caller has calls that it may repeat. */
    public boolean hasAny(CallOwner owner) {
        return statements.query(handle -> handle.createQuery("""
                        SELECT EXISTS (SELECT 1 FROM mcp_pending_calls
                        WHERE tenant_id = :tenant AND agent_id = :agent AND principal = :principal
                          AND call_digest IS NOT NULL)""")
                .bind("tenant", owner.tenant().value())
                .bind("agent", owner.agent().value())
                .bind("principal", owner.principal())
                .mapTo(Boolean.class)
                .one());
    }

    /** The calls of this caller with one of these digests; nothing is stored. */
    public List<PendingCall> find(CallOwner owner, List<byte[]> digests) {
        return statements.query(handle -> handle.createQuery("""
                        SELECT request_id, tool_name, created_at, withdrawn FROM mcp_pending_calls
                        WHERE tenant_id = :tenant AND agent_id = :agent AND principal = :principal
                          AND call_digest = ANY (ARRAY(SELECT decode(digest, 'hex') FROM unnest(:digests) AS digest))""")
                .bind("tenant", owner.tenant().value())
                .bind("agent", owner.agent().value())
                .bind("principal", owner.principal())
                .bindArray(
                        "digests",
                        String.class,
                        digests.stream().map(HexFormat.of()::formatHex).toList())
                .map((row, _) -> pending(row))
                .list());
    }

    /** The outcome was collected as a task: a repeated call is a new one, and the task can still be queried. */
    public void collected(CallOwner owner, RequestId request) {
        change(owner, request, "UPDATE mcp_pending_calls SET call_digest = NULL");
    }

    /** The caller has withdrawn the call; a repeated call is a new one. */
    public void withdrawn(CallOwner owner, RequestId request) {
        change(owner, request, "UPDATE mcp_pending_calls SET withdrawn = true, call_digest = NULL");
    }

    /** The outcome was returned to the caller: a repeated call is a new one. */
    public void end(CallOwner owner, RequestId request) {
        change(owner, request, "DELETE FROM mcp_pending_calls");
    }

    private void change(CallOwner owner, RequestId request, String change) {
        statements.run(handle -> handle.createUpdate(
                        change + " WHERE tenant_id = :tenant AND agent_id = :agent AND principal = :principal"
                                + " AND request_id = :request")
                .bind("tenant", owner.tenant().value())
                .bind("agent", owner.agent().value())
                .bind("principal", owner.principal())
                .bind("request", request.value())
                .execute());
    }

    /** Deletes calls that were never collected, in batches. */
    public void deleteOlderThan(Duration age) {
        int deleted;
        do {
            deleted = statements.run(handle -> handle.createUpdate("""
                            DELETE FROM mcp_pending_calls WHERE (tenant_id, agent_id, request_id) IN (
                                SELECT tenant_id, agent_id, request_id FROM mcp_pending_calls
                                WHERE created_at < now() - make_interval(secs => :age) LIMIT :rows)""")
                    .bind("age", (double) age.toSeconds())
                    .bind("rows", DELETE_BATCH)
                    .execute());
        } while (deleted > 0);
    }

    private static PendingCall pending(ResultSet row) throws SQLException {
        return new PendingCall(
                new RequestId(row.getString("request_id")),
                row.getString("tool_name"),
                Timestamps.read(row, "created_at"),
                row.getBoolean("withdrawn") ? State.WITHDRAWN : State.WANTED);
    }
}
