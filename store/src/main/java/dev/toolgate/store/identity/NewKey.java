package dev.toolgate.store.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a key to create.
 *
 * @param role the wire name of a role
 * @param agent the agent it authenticates; only with the role {@code agent}
 * @param agents the agents its owner may chat as; only with the role {@code user}
 * @param name a display name
 * @param expiresAt when it expires, if ever
 */
public record NewKey(
        TenantId tenant,
        String role,
        @Nullable AgentId agent,
        Set<AgentId> agents,
        String name,
        @Nullable Instant expiresAt,
        String createdBy) {
    private static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_AGENTS = 100;

    public NewKey {
        agents = Set.copyOf(agents);
        if (role.equals("agent") != (agent != null)) {
            throw new IllegalArgumentException("A key must have an agent if its role is agent, and only then.");
        }
        if (role.equals("user") == agents.isEmpty()) {
            throw new IllegalArgumentException(
                    "A key must have a list of agents to chat as if its role is user, and only then.");
        }
        if (agents.size() > MAX_AGENTS) {
            throw new IllegalArgumentException("A key can have at most " + MAX_AGENTS + " agents.");
        }
        if (name.codePointCount(0, name.length()) > MAX_NAME_LENGTH
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "A key's name must have at most " + MAX_NAME_LENGTH + " printable characters.");
        }
    }

    /** A key with another role than {@code user}. */
    public static NewKey of(
            TenantId tenant,
            String role,
            @Nullable AgentId agent,
            String name,
            @Nullable Instant expiresAt,
            String createdBy) {
        return new NewKey(tenant, role, agent, Set.of(), name, expiresAt, createdBy);
    }
}
