package dev.toolgate.core.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An authenticated key or token.
 *
 * @param name as in the audit log and the permission history: {@code key:} and the id of the key, or {@code token:} and
 *     the subject; never a secret
 * @param agent the agent it belongs to; {@code null} unless the role is {@link Role#AGENT}
 * @param chatsAs the agents it may chat as; empty unless the role is {@link Role#USER}
 */
public record Principal(
        TenantId tenant, Role role, String name, @Nullable AgentId agent, Set<AgentId> chatsAs) {
    /** The tenant whose admins run the installation. */
    public static final TenantId FIRST_TENANT = new TenantId("default");

    public Principal {
        if ((role == Role.AGENT) != (agent != null)) {
            throw new IllegalArgumentException("A principal names an agent exactly if its role is agent.");
        }
        chatsAs = Set.copyOf(chatsAs);
        if (role != Role.USER && !chatsAs.isEmpty()) {
            throw new IllegalArgumentException("Only principals of role user name agents to chat as.");
        }
    }

    /** A principal of a role other than {@link Role#USER}. */
    public static Principal of(TenantId tenant, Role role, String name, @Nullable AgentId agent) {
        return new Principal(tenant, role, name, agent, Set.of());
    }

    /** Whether it has this right. */
    public boolean may(Right right) {
        boolean ofInstallation = right == Right.MANAGE_TENANTS || right == Right.READ_WHOLE_AUDIT;
        return role.may(right) && (!ofInstallation || tenant.equals(FIRST_TENANT));
    }

    /** Whether it may use tools as this agent of its tenant. */
    public boolean mayActAs(AgentId other) {
        return role.may(Right.CALL_FOR_ANY_AGENT) || (role.may(Right.CALL_AS_ITSELF) && other.equals(agent));
    }

    /** Whether it may undo changes that this agent of its tenant made. */
    public boolean mayUndoAs(AgentId other) {
        return mayActAs(other) || role.may(Right.UNDO_CHANGES);
    }

    /** Whether it may hold a conversation as this agent of its tenant, in which a model uses tools. */
    public boolean mayChatAs(AgentId other) {
        return mayActAs(other) || (role.may(Right.CHAT_AS_NAMED_AGENTS) && chatsAs.contains(other));
    }

    /** The agents whose tools and sessions it is limited to; empty if its role is not bound to agents. */
    public Optional<Set<AgentId>> boundTo() {
        return switch (role) {
            case AGENT -> Optional.of(agent == null ? Set.of() : Set.of(agent));
            case USER -> Optional.of(chatsAs);
            case ADMIN, OPERATOR, AUDITOR, ORCHESTRATOR -> Optional.empty();
        };
    }
}
