package dev.toolgate.store.approval;

import dev.toolgate.core.approval.ApprovalDesk.Say;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.approval.StandingApproval;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Rows of standing approvals, in and out. */
final class StandingRows {

    /** Adds one; false if there is no such agent. */
    boolean add(Handle handle, ApprovalRequest request, @Nullable SessionId session, Say say) {
        return handle.createUpdate("""
                        INSERT INTO standing_approvals
                            (tenant_id, agent_id, tool_name, session_id, approval_id, granted_by, reason, expires_at, causes,
                             granters)
                        SELECT tenant_id, agent_id, :tool, :session, :approval, :by, :reason,
                            (SELECT min(until) FROM approval_yeses WHERE approval_id = :approval),
                            (SELECT causes FROM approvals WHERE approval_id = :approval),
                            ARRAY(SELECT said_by FROM approval_yeses WHERE approval_id = :approval ORDER BY said_at, said_by)
                        FROM agents WHERE tenant_id = :tenant AND agent_id = :agent""")
                        .bind("tenant", request.caller().tenant().value())
                        .bind("agent", request.caller().agent().value())
                        .bind("tool", request.tool())
                        .bind("session", session == null ? null : session.value())
                        .bind("approval", request.id())
                        .bind(
                                "by",
                                request.answer() == null
                                        ? say.by()
                                        : request.answer().by())
                        .bind("reason", ApprovalRows.storable(say.reason()))
                        .execute()
                == 1;
    }

    List<StandingApproval> list(Handle handle, TenantId tenant, @Nullable UUID after, int limit) {
        return handle.createQuery("""
                        SELECT * FROM standing_approvals
                        WHERE tenant_id = :tenant AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
                          AND (:after::uuid IS NULL OR (created_at, standing_id) < (
                              SELECT created_at, standing_id FROM standing_approvals
                              WHERE tenant_id = :tenant AND standing_id = :after::uuid))
                        ORDER BY created_at DESC, standing_id DESC LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("after", after)
                .bind("limit", limit)
                .map((row, _) -> read(row))
                .list();
    }

    Optional<StandingApproval> find(Handle handle, TenantId tenant, UUID id) {
        return handle.createQuery("""
                        SELECT * FROM standing_approvals
                        WHERE tenant_id = :tenant AND standing_id = :id AND revoked_at IS NULL""")
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> read(row))
                .findOne();
    }

    boolean revoke(Handle handle, TenantId tenant, UUID id, String by) {
        return handle.createUpdate("""
                        UPDATE standing_approvals SET revoked_at = now(), revoked_by = :by
                        WHERE tenant_id = :tenant AND standing_id = :id AND revoked_at IS NULL""")
                        .bind("tenant", tenant.value())
                        .bind("id", id)
                        .bind("by", by)
                        .execute()
                == 1;
    }

    private static StandingApproval read(ResultSet row) throws SQLException {
        String session = row.getString("session_id");
        return new StandingApproval(
                row.getObject("standing_id", UUID.class),
                new AgentId(row.getString("agent_id")),
                row.getString("tool_name"),
                session == null ? null : new SessionId(session),
                row.getString("granted_by"),
                row.getString("reason"),
                ApprovalRows.time(row, "created_at"),
                ApprovalRows.timeOrNull(row, "expires_at"),
                ApprovalRows.causes(row),
                List.of((String[]) row.getArray("granters").getArray()));
    }
}
