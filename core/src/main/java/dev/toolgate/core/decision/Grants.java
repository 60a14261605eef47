package dev.toolgate.core.decision;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which agent may use which tool. */
public interface Grants {

    /** The grants for this tool (canonical name). No grant denies the call; one valid grant allows it. */
    List<Grant> find(TenantId tenant, AgentId agent, String tool);

    /** The canonical names of the tools an agent has been granted, in order. */
    List<String> toolsOf(TenantId tenant, AgentId agent);

    /** The explicit refusal of this tool for the agent, which overrides every grant; empty if there is none. */
    default Optional<Refusal> refusal(TenantId tenant, AgentId agent, String tool) {
        return Optional.empty();
    }

    /**
     * An explicit refusal.
     *
     * @param group the group that is refused the tool; {@code null} if it is the agent itself
     */
    record Refusal(@Nullable String group) {}

    /** The remaining uses of a counted grant. */
    int usesLeft(TenantId tenant, Uses uses);

    /** Consumes one use; false if none is left. */
    boolean use(TenantId tenant, Uses uses);

    /**
     * The terms of a grant.
     *
     * @param condition {@code null} if unconditional
     * @param uses {@code null} if unlimited
     */
    record Grant(
            Approval approval,
            @Nullable Instant expiresAt,
            @Nullable Condition condition,
            @Nullable Uses uses) {
        public static final Grant PLAIN = Grant.of(Approval.NOT_NEEDED, null);

        /** A grant without condition or use limit. */
        public static Grant of(Approval approval, @Nullable Instant expiresAt) {
            return new Grant(approval, expiresAt, null, null);
        }

        /** Whether it has expired at this time. */
        public boolean hasExpired(Instant now) {
            return expiresAt != null && !now.isBefore(expiresAt);
        }
    }

    /**
     * A limited number of uses.
     *
     * @param grant the store's id of the grant
     */
    record Uses(String grant, int max) {}

    /** Whether every call under a grant needs approval. */
    enum Approval {
        NOT_NEEDED,
        REQUIRED
    }
}
