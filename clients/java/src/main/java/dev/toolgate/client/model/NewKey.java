package dev.toolgate.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key to make.
 *
 * @param role its role: admin, operator, auditor, orchestrator, agent or user
 * @param agentId the bearer's agent; only for the role agent
 * @param agents the agents the bearer may chat as; only for the role user
 * @param name a display name
 * @param expiresIn its lifetime, such as {@code 90d} or {@code never}; the server's default if null
 */
public record NewKey(
        String role,
        @Nullable String agentId,
        List<String> agents,
        @Nullable String name,
        @Nullable String expiresIn) {
    public NewKey {
        agents = List.copyOf(agents);
    }

    /** A key of an agent. */
    public static NewKey forAgent(String agentId) {
        return new NewKey("agent", agentId, List.of(), null, null);
    }

    /** A key of a role that is not bound to an agent. */
    public static NewKey forRole(String role) {
        return new NewKey(role, null, List.of(), null, null);
    }

    /** A key of a person who chats as these agents. */
    public static NewKey forUser(List<String> agents) {
        return new NewKey("user", null, agents, null, null);
    }

    /** The same with a display name. */
    public NewKey named(String display) {
        return new NewKey(role, agentId, agents, display, expiresIn);
    }

    /** The same with a lifetime, such as {@code 90d} or {@code never}. */
    public NewKey expiringIn(String lifetime) {
        return new NewKey(role, agentId, agents, name, lifetime);
    }
}
