package dev.toolgate.store.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an API key.
 *
 * @param prefix the first characters of the key, to recognise it in a list
 * @param role for example {@code operator}
 * @param agent the agent it authenticates, if the role is {@code agent}
 * @param agents the agents its owner may chat as, if the role is {@code user}
 * @param rotatedFrom the key that this one replaces
 * @param principalId the first key of its rotation chain; its own id if it was never rotated
 * @param lastUsedAt accurate to about a minute
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

    /** The state of a key. */
    public enum State {
        USABLE,
        EXPIRED,
        REVOKED
    }

    /** Its state at this time. */
    public State state(Instant now) {
        if (revokedAt != null) {
            return State.REVOKED;
        }
        return expiresAt == null || now.isBefore(expiresAt) ? State.USABLE : State.EXPIRED;
    }

    /** The principal in audit records; the same for all keys of a rotation chain. */
    public String principal() {
        return "key:" + principalId;
    }
}
