package dev.toolgate.store.audit.query;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.StatementException;
import org.jspecify.annotations.Nullable;

/** Reads calls from the audit log to evaluate them against changed permissions; within limits, newest first. */
public final class RecordedCalls {
    private static final int FETCH_SIZE = 500;
    private static final String CANCELLED = "57014";

    private final Jdbi jdbi;

    public RecordedCalls(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /**
     * Which calls are read.
     *
     * @param agents only calls of these, if they are registered
     * @param tools only calls of these
     */
    public record Selection(TenantId tenant, Collection<String> agents, Collection<String> tools, Instant since) {}

    /** The maximum to read. */
    public record Limits(int calls, long characters, Duration time) {}

    /**
     * A call as it was recorded.
     *
     * @param parameters JSON, with secrets masked and long values shortened
     * @param maskedCharacters how many characters of the parameters are masked
     * @param undoes the record of the call that it undid
     */
    public record Recorded(
            long id,
            String requestId,
            Instant timestamp,
            String agentId,
            @Nullable String sessionId,
            String workspaceId,
            @Nullable String projectId,
            String toolName,
            String operation,
            String parameters,
            AuditLog.Status status,
            @Nullable String approvedBy,
            @Nullable Integer maskedCharacters,
            @Nullable String principal,
            @Nullable String undoes) {
        /** The caller, for evaluating the call again. */
        public Caller caller(TenantId tenant) {
            return new Caller(
                    tenant,
                    new AgentId(agentId),
                    sessionId == null ? null : new SessionId(sessionId),
                    new WorkspaceId(workspaceId),
                    principal == null ? agentId : principal);
        }
    }

    /** Why calls were not read. */
    public enum Cut {
        NONE,
        TOO_MANY,
        TOO_LARGE,
        TOO_SLOW
    }

    /**
     * The calls that were read.
     *
     * @param calls newest first
     * @param cut why older ones are missing
     */
    public record Found(List<Recorded> calls, Cut cut) {}

    public Found newest(Selection selection, Limits limits) {
        List<Recorded> calls = new ArrayList<>();
        try {
            return jdbi.inTransaction(handle -> new Found(calls, read(handle, selection, limits, calls)));
        } catch (StatementException failed) {
            if (failed.getCause() instanceof SQLException sql && CANCELLED.equals(sql.getSQLState())) {
                return new Found(calls, Cut.TOO_SLOW);
            }
            throw failed;
        }
    }

    private static Cut read(Handle handle, Selection selection, Limits limits, List<Recorded> calls) {
        handle.execute("SET LOCAL statement_timeout = '" + limits.time().toMillis() + "ms'");
        handle.execute("SET LOCAL max_parallel_workers_per_gather = 0"); // leaves the CPUs to calls
        long deadline = System.nanoTime() + limits.time().toNanos();
        long characters = 0;
        try (ResultIterator<Recorded> rows = handle.createQuery("""
                        SELECT id, request_id, timestamp, agent_id, session_id, workspace_id, project_id, tool_name, operation,
                            parameters, status, approved_by, masked_characters, principal, undoes
                        FROM %s WHERE tenant_id = :tenant AND kind = 'call' AND timestamp >= :since
                            AND tool_name = ANY (:tools) AND agent_id = ANY (:agents)
                            AND agent_id IN (SELECT agent_id FROM agents WHERE tenant_id = :tenant)
                        ORDER BY timestamp DESC, id DESC LIMIT :limit""".formatted(AuditTables.ALL))
                .setFetchSize(FETCH_SIZE)
                .bind("tenant", selection.tenant().value())
                .bind("since", selection.since())
                .bindArray("tools", String.class, selection.tools())
                .bindArray("agents", String.class, selection.agents())
                .bind("limit", limits.calls() + 1)
                .map((row, _) -> read(row))
                .iterator()) {
            while (rows.hasNext()) {
                Recorded next = rows.next();
                characters += next.parameters().length();
                if (calls.size() >= limits.calls()) {
                    return Cut.TOO_MANY;
                }
                if (characters > limits.characters()) {
                    return Cut.TOO_LARGE;
                }
                if (System.nanoTime() - deadline > 0) {
                    return Cut.TOO_SLOW;
                }
                if (calls.isEmpty()
                        || calls.getLast().id() != next.id()) { // a record that is being moved is found twice
                    calls.add(next);
                }
            }
        }
        return Cut.NONE;
    }

    private static Recorded read(ResultSet row) throws SQLException {
        return new Recorded(
                row.getLong("id"),
                row.getString("request_id"),
                Timestamps.read(row, "timestamp"),
                row.getString("agent_id"),
                row.getString("session_id"),
                row.getString("workspace_id"),
                row.getString("project_id"),
                row.getString("tool_name"),
                row.getString("operation"),
                row.getString("parameters"),
                AuditLog.Status.valueOf(row.getString("status")),
                row.getString("approved_by"),
                row.getObject("masked_characters", Integer.class),
                row.getString("principal"),
                row.getString("undoes"));
    }
}
