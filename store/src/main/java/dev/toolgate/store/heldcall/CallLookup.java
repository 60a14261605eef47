package dev.toolgate.store.heldcall;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Looks up calls by request id, for callers that collect an outcome. */
public final class CallLookup {
    private final Statements statements;

    public CallLookup(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * A call and its state.
     *
     * @param tools all tools that were called with this request id
     * @param question its approval request; {@code null} if it needed none
     * @param expiresAt when the approval request expires
     * @param outcome {@code null} unless it has ended and its outcome is stored
     * @param permitUntil when its caller's permit expires
     * @param approved the call, if it was approved and its caller has not fetched the permit yet
     */
    public record FoundCall(
            AgentId agent,
            String tool,
            Set<String> tools,
            State state,
            @Nullable UUID question,
            @Nullable Instant expiresAt,
            @Nullable Outcome outcome,
            @Nullable Instant permitUntil,
            @Nullable Call approved) {}

    /** The state of a call. */
    public enum State {
        HELD,
        /** It was approved, and its caller, which runs the tool itself, has not fetched the permit yet. */
        APPROVED,
        /** Its caller has a permit and has not reported the outcome yet. */
        PERMITTED,
        RUNNING,
        ENDED,
        /** It has ended, and its outcome is no longer stored. */
        FORGOTTEN
    }

    /**
     * The calls of a tenant with this request id, at most one per agent.
     *
     * @param agent only calls of this agent; {@code null} for any
     */
    public List<FoundCall> find(TenantId tenant, RequestId request, @Nullable AgentId agent) {
        return statements.run(handle -> ApprovalRepository.in(handle).findCalls(tenant, request, agent));
    }
}
