package dev.toolgate.store.heldcall;

import dev.toolgate.core.call.AgentId;
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

/** What is known of a call under its request id, for whoever comes back for its outcome. */
public final class CollectedCalls {
    private final Statements statements;

    public CollectedCalls(Jdbi jdbi) {
        this.statements = new Statements(jdbi);
    }

    /**
     * A call and how it stands.
     *
     * @param tools every tool that was called under this request id
     * @param question what it is or was held by; {@code null} if nobody had to be asked
     * @param expiresAt until when the question can be answered
     * @param outcome {@code null} unless it has ended and its outcome is kept
     */
    public record Collected(
            AgentId agent,
            String tool,
            Set<String> tools,
            Standing standing,
            @Nullable UUID question,
            @Nullable Instant expiresAt,
            @Nullable Outcome outcome) {}

    /** How a call stands. */
    public enum Standing {
        HELD,
        RUNNING,
        ENDED,
        /** It has ended, and its outcome is no longer kept. */
        FORGOTTEN
    }

    /**
     * The calls of a tenant under this request id, one of each agent that has one.
     *
     * @param agent only this agent's; {@code null} means any
     */
    public List<Collected> find(TenantId tenant, RequestId request, @Nullable AgentId agent) {
        return statements.run(handle -> ApprovalRepository.in(handle).findCalls(tenant, request, agent));
    }
}
