package dev.toolgate.store.heldcall;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import org.jdbi.v3.core.Jdbi;

/** Withdraws held calls on behalf of callers that had disconnected. */
public final class HeldCallWithdrawal {
    private final Statements statements;

    public HeldCallWithdrawal(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * Withdraws a call that has not been answered yet; the withdrawal is recorded asynchronously.
     *
     * @param principal of the caller
     * @return false if there is none, or it was answered
     */
    public boolean withdraw(TenantId tenant, AgentId agent, String principal, RequestId request) {
        return statements.run(
                handle -> ApprovalRepository.in(handle).withdrawByCaller(tenant, agent, principal, request));
    }
}
