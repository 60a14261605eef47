package dev.toolgate.core.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who has shown who they are.
 *
 * @param name how the audit log and the permission history call them, {@code key:} and the id of the key, or
 *     {@code token:} and the subject; never a secret
 * @param agent the agent they are; {@code null} unless the role is {@link Role#AGENT}
 * @param chatsAs the agents they may chat as; empty unless the role is {@link Role#USER}
 */
public record Principal(
        TenantId tenant, Role role, String name, @Nullable AgentId agent, Set<AgentId> chatsAs) {
    /** The tenant whose admins run the installation. */
    public static final TenantId FIRST_TENANT = new TenantId("default");

    public Principal {
        if ((role == Role.AGENT) != (agent != null)) {
            throw new IllegalArgumentException("An agent's identity names its agent, and no other does.");
        }
        chatsAs = Set.copyOf(chatsAs);
        if (role != Role.USER && !chatsAs.isEmpty()) {
            throw new IllegalArgumentException("Only a user's identity names agents to chat as.");
        }
    }

    /** Somebody of another role than {@link Role#USER}. */
    public Principal(TenantId tenant, Role role, String name, @Nullable AgentId agent) {
        this(tenant, role, name, agent, Set.of());
    }

    /** Whether they may do this. */
    public boolean may(Right right) {
        boolean ofInstallation = right == Right.MANAGE_TENANTS || right == Right.READ_WHOLE_AUDIT;
        return role.may(right) && (!ofInstallation || tenant.equals(FIRST_TENANT));
    }

    /** Whether they may use tools as this agent of their tenant. */
    public boolean mayActAs(AgentId other) {
        return role.may(Right.CALL_FOR_ANY_AGENT) || (role.may(Right.CALL_AS_ITSELF) && other.equals(agent));
    }

    /** Whether they may have a conversation as this agent of their tenant, in which a model uses tools. */
    public boolean mayChatAs(AgentId other) {
        return mayActAs(other) || (role.may(Right.CHAT_AS_NAMED_AGENTS) && chatsAs.contains(other));
    }

    /** The agents whose tools and sessions are all they may see; empty if their role is not bound to agents. */
    public Optional<Set<AgentId>> boundTo() {
        return switch (role) {
            case AGENT -> Optional.of(agent == null ? Set.of() : Set.of(agent));
            case USER -> Optional.of(chatsAs);
            case ADMIN, OPERATOR, AUDITOR, ORCHESTRATOR -> Optional.empty();
        };
    }
}
