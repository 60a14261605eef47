package dev.toolgate.store.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants a key for.
 *
 * @param role the wire name of a role
 * @param agent the agent its bearer is; with the role {@code agent} and no other
 * @param agents the agents its bearer may chat as; with the role {@code user} and no other
 * @param name what people call it
 * @param expiresAt when it ends by itself, if ever
 */
public record NewKey(
        TenantId tenant,
        String role,
        @Nullable AgentId agent,
        Set<AgentId> agents,
        String name,
        @Nullable Instant expiresAt,
        String createdBy) {
    private static final int LONGEST_NAME = 200;
    private static final int MOST_AGENTS = 100;

    public NewKey {
        agents = Set.copyOf(agents);
        if (role.equals("agent") != (agent != null)) {
            throw new IllegalArgumentException("A key of the role agent names its agent, and no other key does.");
        }
        if (role.equals("user") == agents.isEmpty()) {
            throw new IllegalArgumentException(
                    "A key of the role user names the agents to chat as, and no other key does.");
        }
        if (agents.size() > MOST_AGENTS) {
            throw new IllegalArgumentException("A key names at most " + MOST_AGENTS + " agents.");
        }
        if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "A key's name must be at most " + LONGEST_NAME + " printable characters.");
        }
    }

    /** A key of another role than {@code user}. */
    public NewKey(
            TenantId tenant,
            String role,
            @Nullable AgentId agent,
            String name,
            @Nullable Instant expiresAt,
            String createdBy) {
        this(tenant, role, agent, Set.of(), name, expiresAt, createdBy);
    }
}
