package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.StandingApproval;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Where people see what they are asked, and answer, in PostgreSQL. The database's clock says what is too late. */
public final class PostgresApprovalDesk implements ApprovalDesk {
    private final Statements statements;

    public PostgresApprovalDesk(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    @Override
    public Optional<ApprovalRequest> find(TenantId tenant, UUID id) {
        return statements.run(handle -> ApprovalRepository.in(handle).find(tenant, id));
    }

    @Override
    public List<ApprovalRequest> list(TenantId tenant, Filter filter, @Nullable UUID after, int limit) {
        return statements.run(handle -> ApprovalRepository.in(handle).list(tenant, filter, after, limit));
    }

    @Override
    public Ruling answer(TenantId tenant, UUID id, Say say) {
        return statements.runTogether(handle -> answer(ApprovalRepository.in(handle), tenant, id, say));
    }

    private static Ruling answer(ApprovalRepository approvals, TenantId tenant, UUID id, Say say) {
        ApprovalRepository.Locked found = approvals.lock(tenant, id).orElse(null);
        if (found == null) {
            return new Ruling.Unknown();
        }
        if (!found.open()) {
            approvals.expire(tenant, id);
            return new Ruling.TooLate(approvals.find(tenant, id).orElse(found.request()));
        }
        Ruling ruling = say.yesOrNo() == YesOrNo.YES
                ? yes(approvals, tenant, found.request(), say)
                : new Ruling.Counted(approvals.answer(tenant, id, say, say.by(), null));
        approvals.announce();
        return ruling;
    }

    private static Ruling yes(ApprovalRepository approvals, TenantId tenant, ApprovalRequest asked, Say say) {
        checkScope(asked, say);
        if (asked.terms().approver() == ApprovalTerms.Approver.NOT_THE_CALLER
                && say.by().equals(asked.caller().principal())) {
            return new Ruling.OwnCall(asked);
        }
        if (!approvals.addYes(asked.id(), say)) {
            return new Ruling.SaidBefore(asked);
        }
        ApprovalRequest now = approvals.find(tenant, asked.id()).orElseThrow();
        if (now.yeses().size() < asked.terms().approvers()) {
            return new Ruling.OneOfSeveral(now);
        }
        String by = now.yeses().stream().map(ApprovalRequest.Yes::by).collect(Collectors.joining(", "));
        Scope scope = approvals.scopeOfYeses(asked.id());
        ApprovalRequest approved = approvals.answer(tenant, asked.id(), say, by, scope);
        if (scope != Scope.ONCE) {
            addStanding(approvals, approved, say, scope);
        }
        return new Ruling.Counted(approved);
    }

    private static void checkScope(ApprovalRequest request, Say say) {
        if (say.scope() == Scope.SESSION && request.caller().session() == null) {
            throw new IllegalArgumentException("The call belongs to no session, so it cannot be approved for one.");
        }
    }

    private static void addStanding(ApprovalRepository approvals, ApprovalRequest request, Say say, Scope scope) {
        SessionId session = request.caller().session();
        if (!approvals.addStanding(request, scope == Scope.SESSION ? session : null, say)) {
            throw new IllegalArgumentException("There is no agent '"
                    + request.caller().agent() + "' any more, so only this one call can be approved.");
        }
    }

    @Override
    public List<StandingApproval> standing(TenantId tenant, @Nullable UUID after, int limit) {
        return statements.run(handle -> ApprovalRepository.in(handle).listStanding(tenant, after, limit));
    }

    @Override
    public Optional<StandingApproval> standing(TenantId tenant, UUID id) {
        return statements.run(handle -> ApprovalRepository.in(handle).findStanding(tenant, id));
    }

    @Override
    public boolean revoke(TenantId tenant, UUID id, String by) {
        return statements.run(handle -> ApprovalRepository.in(handle).revokeStanding(tenant, id, by));
    }
}
