package dev.toolgate.store.approval;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.port.ApprovalDesk;
import dev.toolgate.core.port.ApprovalRequest;
import dev.toolgate.core.port.Approvals;
import dev.toolgate.core.schema.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Rows of questions as what they stand for. */
final class ApprovalRows {
    /** Where changes are announced; what has changed is found by looking. */
    static final String CHANNEL = "toolgate_approvals";

    static final String COLUMNS = """
            approval_id, tenant_id, request_id, agent_id, session_id, workspace_id, principal, project_id, operation,
            tool_name, arguments, masked_characters, reason, approval_rule_id, preview, verdict, asked_at, expires_at, answered_at,
            answered_by, answer_reason, scope""";

    private ApprovalRows() {}

    static ApprovalRequest request(ResultSet row) throws SQLException {
        String session = row.getString("session_id");
        String scope = row.getString("scope");
        return new ApprovalRequest(
                row.getObject("approval_id", UUID.class),
                new RequestId(row.getString("request_id")),
                new Caller(
                        new TenantId(row.getString("tenant_id")),
                        new AgentId(row.getString("agent_id")),
                        session == null ? null : new SessionId(session),
                        new WorkspaceId(row.getString("workspace_id")),
                        row.getString("principal")),
                row.getString("tool_name"),
                row.getString("operation"),
                row.getString("project_id"),
                (ObjectNode) Json.MAPPER.readTree(row.getString("arguments")),
                row.getLong("masked_characters"),
                row.getString("reason"),
                row.getString("approval_rule_id"),
                row.getString("preview"),
                time(row, "asked_at"),
                time(row, "expires_at"),
                answer(row),
                scope == null ? null : ApprovalDesk.Scope.valueOf(scope.toUpperCase(Locale.ROOT)));
    }

    static Approvals.@Nullable Answer answer(ResultSet row) throws SQLException {
        String verdict = row.getString("verdict");
        return verdict == null
                ? null
                : new Approvals.Answer(
                        Approvals.Verdict.valueOf(verdict),
                        row.getString("answered_by"),
                        row.getString("answer_reason"),
                        time(row, "answered_at"));
    }

    static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** The text without the one character that the database cannot hold. */
    static @Nullable String storable(@Nullable String text) {
        return text == null ? null : text.replace('\0', '\uFFFD');
    }
}
