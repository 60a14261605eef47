package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.StandingApproval;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallJson;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Lists and answers approval requests in PostgreSQL. The clock of the database decides what is too late. */
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
    public Optional<Call> heldCall(TenantId tenant, UUID id) {
        return statements
                .run(handle -> ApprovalRepository.in(handle).heldCall(tenant, id))
                .map(CallJson::read);
    }

    @Override
    public List<ApprovalRequest> list(TenantId tenant, Filter filter, @Nullable UUID after, int limit) {
        return statements.run(handle -> ApprovalRepository.in(handle).list(tenant, filter, after, limit));
    }

    @Override
    public VoteResult answer(TenantId tenant, UUID id, Vote vote) {
        return statements.inTransaction(handle -> answer(ApprovalRepository.in(handle), tenant, id, vote));
    }

    private static VoteResult answer(ApprovalRepository approvals, TenantId tenant, UUID id, Vote vote) {
        ApprovalRepository.Locked found = approvals.lock(tenant, id).orElse(null);
        if (found == null) {
            return new VoteResult.Unknown();
        }
        if (!found.open()) {
            approvals.expire(tenant, id);
            return new VoteResult.TooLate(approvals.find(tenant, id).orElse(found.request()));
        }
        VoteResult result = vote.choice() == Choice.APPROVE
                ? approve(approvals, tenant, found.request(), vote)
                : new VoteResult.Decided(approvals.answer(tenant, id, vote, vote.by(), null));
        approvals.announce();
        return result;
    }

    private static VoteResult approve(ApprovalRepository approvals, TenantId tenant, ApprovalRequest asked, Vote vote) {
        checkScope(asked, vote);
        if (asked.terms().approver() == ApprovalTerms.Approver.NOT_THE_CALLER
                && vote.by().equals(asked.caller().principal())) {
            return new VoteResult.OwnCall(asked);
        }
        if (!approvals.addYes(asked.id(), vote)) {
            return new VoteResult.AlreadyVoted(asked);
        }
        ApprovalRequest now = approvals.find(tenant, asked.id()).orElseThrow();
        if (now.yeses().size() < asked.terms().approvers()) {
            return new VoteResult.MoreVotesNeeded(now);
        }
        String by = now.yeses().stream().map(ApprovalRequest.Yes::by).collect(Collectors.joining(", "));
        Scope scope = approvals.scopeOfYeses(asked.id());
        ApprovalRequest approved = approvals.answer(tenant, asked.id(), vote, by, scope);
        if (scope != Scope.ONCE) {
            addStanding(approvals, approved, vote, scope);
        }
        return new VoteResult.Decided(approved);
    }

    private static void checkScope(ApprovalRequest request, Vote vote) {
        if (vote.scope() == Scope.SESSION && request.caller().session() == null) {
            throw new IllegalArgumentException(
                    "The call has no session, so it cannot be approved for one; use the scope once or agent.");
        }
    }

    private static void addStanding(ApprovalRepository approvals, ApprovalRequest request, Vote vote, Scope scope) {
        SessionId session = request.caller().session();
        if (!approvals.addStanding(request, scope == Scope.SESSION ? session : null, vote)) {
            throw new IllegalArgumentException("The agent '" + request.caller().agent()
                    + "' no longer exists, so only this one call can be approved; use the scope once.");
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
