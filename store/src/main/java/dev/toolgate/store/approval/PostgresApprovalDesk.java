package dev.toolgate.store.approval;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.StandingApproval;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Statements;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
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
            WHERE tenant_id = :tenant AND approval_id = :id
            RETURNING
            """ + ApprovalRows.COLUMNS;
    /** Others who answer the same question wait here, until this answer is in. */
    private static final String LOCK = "SELECT " + ApprovalRows.COLUMNS + """
            , verdict IS NULL AND expires_at > now() AS open
            FROM approvals WHERE tenant_id = :tenant AND approval_id = :id FOR UPDATE OF approvals""";

    private static final String SAY_YES = """
            INSERT INTO approval_yeses (approval_id, said_by, reason, scope, until)
            VALUES (:id, :by, :reason, :scope, :until) ON CONFLICT DO NOTHING""";
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
            Locked found = lock(handle, tenant, id).orElse(null);
            if (found == null) {
                return new Ruling.Unknown();
            }
            if (!found.open()) {
                handle.createUpdate(END_OVERDUE)
                        .bind("tenant", tenant.value())
                        .bind("id", id)
                        .execute();
                return new Ruling.TooLate(find(handle, tenant, id).orElse(found.request()));
            }
            Ruling ruling = say.yesOrNo() == YesOrNo.YES
                    ? yes(handle, tenant, found.request(), say)
                    : new Ruling.Counted(settle(handle, tenant, id, say, say.by(), null));
            handle.execute("SELECT pg_notify('" + ApprovalRows.CHANNEL + "', '')");
            return ruling;
        });
    }

    private record Locked(ApprovalRequest request, boolean open) {}

    private static Optional<Locked> lock(Handle handle, TenantId tenant, UUID id) {
        return handle.createQuery(LOCK)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> new Locked(ApprovalRows.request(row), row.getBoolean("open")))
                .findOne();
    }

    private Ruling yes(Handle handle, TenantId tenant, ApprovalRequest asked, Say say) {
        checkScope(asked, say);
        if (asked.terms().approver() == ApprovalTerms.Approver.NOT_THE_CALLER
                && say.by().equals(asked.caller().principal())) {
            return new Ruling.OwnCall(asked);
        }
        int said = handle.createUpdate(SAY_YES)
                .bind("id", asked.id())
                .bind("by", say.by())
                .bind("reason", ApprovalRows.storable(say.reason()))
                .bind("scope", say.scope().wireName())
                .bind("until", say.until())
                .execute();
        if (said == 0) {
            return new Ruling.SaidBefore(asked);
        }
        ApprovalRequest now = find(handle, tenant, asked.id()).orElseThrow();
        if (now.yeses().size() < asked.terms().approvers()) {
            return new Ruling.OneOfSeveral(now);
        }
        String by = now.yeses().stream().map(ApprovalRequest.Yes::by).collect(Collectors.joining(", "));
        Scope scope = scope(handle, asked.id());
        ApprovalRequest approved = settle(handle, tenant, asked.id(), say, by, scope);
        if (scope != Scope.ONCE) {
            stand(handle, approved, say, scope);
        }
        return new Ruling.Counted(approved);
    }

    // As far as all who said yes want it to reach.
    private static Scope scope(Handle handle, UUID id) {
        return handle
                .createQuery("SELECT scope FROM approval_yeses WHERE approval_id = :id")
                .bind("id", id)
                .mapTo(String.class)
                .stream()
                .map(scope -> Scope.valueOf(scope.toUpperCase(Locale.ROOT)))
                .reduce(Scope::and)
                .orElse(Scope.ONCE);
    }

    private static ApprovalRequest settle(
            Handle handle, TenantId tenant, UUID id, Say say, String by, @Nullable Scope scope) {
        return handle.createQuery(ANSWER)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .bind("verdict", say.yesOrNo().verdict().name())
                .bind("by", by)
                .bind("reason", ApprovalRows.storable(say.reason()))
                .bind("scope", scope == null ? null : scope.wireName())
                .map((row, _) -> ApprovalRows.request(row))
                .one();
    }

    private static void checkScope(ApprovalRequest request, Say say) {
        if (say.scope() == Scope.SESSION && request.caller().session() == null) {
            throw new IllegalArgumentException("The call belongs to no session, so it cannot be approved for one.");
        }
    }

    private void stand(Handle handle, ApprovalRequest request, Say say, Scope scope) {
        SessionId session = request.caller().session();
        if (!standing.add(handle, request, scope == Scope.SESSION ? session : null, say)) {
            throw new IllegalArgumentException("There is no agent '"
                    + request.caller().agent() + "' any more, so only this one call can be approved.");
        }
    }

    @Override
    public List<StandingApproval> standing(TenantId tenant, @Nullable UUID after, int limit) {
        return statements.run(handle -> standing.list(handle, tenant, after, Math.clamp(limit, 1, MOST_LISTED)));
    }

    @Override
    public Optional<StandingApproval> standing(TenantId tenant, UUID id) {
        return statements.run(handle -> standing.find(handle, tenant, id));
    }

    @Override
    public boolean revoke(TenantId tenant, UUID id, String by) {
        return statements.run(handle -> standing.revoke(handle, tenant, id, by));
    }
}
