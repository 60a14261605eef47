package dev.toolgate.store.approval;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.ApprovalDesk;
import dev.toolgate.core.port.ApprovalRequest;
import dev.toolgate.core.port.StandingApproval;
import dev.toolgate.store.Statements;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Where people see what they are asked, and answer, in PostgreSQL. The database's clock says what is too late. */
public final class PostgresApprovalDesk implements ApprovalDesk {
    private static final int MOST_LISTED = 1000;
    private static final String LIST = "SELECT " + ApprovalRows.COLUMNS + " " + """
            FROM approvals WHERE tenant_id = :tenant
              AND (:state::text IS NULL OR coalesce(verdict, 'PENDING') = :state)
              AND (:agent::text IS NULL OR agent_id = :agent) AND (:tool::text IS NULL OR tool_name = :tool)
              AND (:principal::text IS NULL OR principal = :principal)
              AND (:after::uuid IS NULL OR (asked_at, approval_id) < (
                  SELECT asked_at, approval_id FROM approvals WHERE tenant_id = :tenant AND approval_id = :after::uuid))
            ORDER BY asked_at DESC, approval_id DESC LIMIT :limit""";
    private static final String ANSWER = """
            UPDATE approvals SET verdict = :verdict, answered_at = now(), answered_by = :by, answer_reason = :reason,
                scope = :scope
            WHERE tenant_id = :tenant AND approval_id = :id AND verdict IS NULL AND expires_at > now()
            RETURNING
            """ + ApprovalRows.COLUMNS;
    private static final String END_OVERDUE = """
            UPDATE approvals SET verdict = 'TIMED_OUT', answered_at = now()
            WHERE tenant_id = :tenant AND approval_id = :id AND verdict IS NULL AND expires_at <= now()""";

    private final Statements statements;
    private final StandingRows standing = new StandingRows();

    public PostgresApprovalDesk(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    @Override
    public Optional<ApprovalRequest> find(TenantId tenant, UUID id) {
        return statements.run(handle -> find(handle, tenant, id));
    }

    private static Optional<ApprovalRequest> find(Handle handle, TenantId tenant, UUID id) {
        return handle.createQuery("SELECT " + ApprovalRows.COLUMNS
                        + " FROM approvals WHERE tenant_id = :tenant AND approval_id = :id")
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> ApprovalRows.request(row))
                .findOne();
    }

    @Override
    public List<ApprovalRequest> list(TenantId tenant, Filter filter, @Nullable UUID after, int limit) {
        return statements.run(handle -> handle.createQuery(LIST)
                .bind("tenant", tenant.value())
                .bind("state", filter.state() == null ? null : filter.state().name())
                .bind("agent", filter.agent() == null ? null : filter.agent().value())
                .bind("tool", filter.tool())
                .bind("principal", filter.principal())
                .bind("after", after)
                .bind("limit", Math.clamp(limit, 1, MOST_LISTED))
                .map((row, _) -> ApprovalRows.request(row))
                .list());
    }

    @Override
    public Ruling answer(TenantId tenant, UUID id, Say say) {
        return statements.runTogether(handle -> {
            Optional<ApprovalRequest> counted = count(handle, tenant, id, say);
            if (counted.isEmpty()) {
                handle.createUpdate(END_OVERDUE)
                        .bind("tenant", tenant.value())
                        .bind("id", id)
                        .execute();
                return find(handle, tenant, id).<Ruling>map(Ruling.TooLate::new).orElseGet(Ruling.Unknown::new);
            }
            if (say.yesOrNo() == YesOrNo.YES && say.scope() != Scope.ONCE) {
                stand(handle, counted.get(), say);
            }
            handle.execute("SELECT pg_notify('" + ApprovalRows.CHANNEL + "', '')");
            return new Ruling.Counted(counted.get());
        });
    }

    private static Optional<ApprovalRequest> count(Handle handle, TenantId tenant, UUID id, Say say) {
        return handle.createQuery(ANSWER)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .bind("verdict", say.yesOrNo().verdict().name())
                .bind("by", say.by())
                .bind("reason", ApprovalRows.storable(say.reason()))
                .bind("scope", say.yesOrNo() == YesOrNo.YES ? say.scope().wireName() : null)
                .map((row, _) -> ApprovalRows.request(row))
                .findOne();
    }

    private void stand(Handle handle, ApprovalRequest request, Say say) {
        SessionId session = request.caller().session();
        if (say.scope() == Scope.SESSION && session == null) {
            throw new IllegalArgumentException("The call belongs to no session, so it cannot be approved for one.");
        }
        if (!standing.add(handle, request, say.scope() == Scope.SESSION ? session : null, say)) {
            throw new IllegalArgumentException("There is no agent '"
                    + request.caller().agent() + "' any more, so only this one call can be approved.");
        }
    }

    @Override
    public List<StandingApproval> standing(TenantId tenant, @Nullable UUID after, int limit) {
        return statements.run(handle -> standing.list(handle, tenant, after, Math.clamp(limit, 1, MOST_LISTED)));
    }

    @Override
    public boolean revoke(TenantId tenant, UUID id, String by) {
        return statements.run(handle -> standing.revoke(handle, tenant, id, by));
    }
}
