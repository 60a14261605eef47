package dev.toolgate.store.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a key.
 *
 * @param prefix how a person recognises it in a list
 * @param role what its bearer is, for example {@code operator}
 * @param agent the agent its bearer is, if the role is {@code agent}
 * @param agents the agents its bearer may chat as, if the role is {@code user}
 * @param rotatedFrom the key that this one replaces
 * @param principalId the first key of the line that this one belongs to by rotation, which is itself for most
 * @param lastUsedAt to the minute or so
 */
public record ApiKey(
        UUID id,
        TenantId tenant,
        String prefix,
        String role,
        @Nullable AgentId agent,
        Set<AgentId> agents,
        String name,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable String revokedBy,
        @Nullable Instant lastUsedAt,
        @Nullable UUID rotatedFrom,
        UUID principalId) {

    public ApiKey {
        agents = Set.copyOf(agents);
    }

    /** Whether a key still counts. */
    public enum State {
        USABLE,
        EXPIRED,
        REVOKED
    }

    /** Whether it counts at this time. */
    public State state(Instant now) {
        if (revokedAt != null) {
            return State.REVOKED;
        }
        return expiresAt == null || now.isBefore(expiresAt) ? State.USABLE : State.EXPIRED;
    }

    /** How records of what was done with it call its bearer; the same for a key and those that replace it. */
    public String principal() {
        return "key:" + principalId;
    }
}
