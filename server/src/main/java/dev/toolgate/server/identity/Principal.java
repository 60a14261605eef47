package dev.toolgate.server.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who has shown who they are.
 *
 * @param name how the audit log and the permission history call them, for example {@code key:3f2a91c0}; never a secret
 * @param agent the agent they are; {@code null} unless the role is {@link Role#AGENT}
 */
public record Principal(
        TenantId tenant, Role role, String name, @Nullable AgentId agent) {
    /** The tenant whose admins run the installation. */
    public static final TenantId FIRST_TENANT = new TenantId("default");

    public Principal {
        if ((role == Role.AGENT) != (agent != null)) {
            throw new IllegalArgumentException("An agent's identity names its agent, and no other does.");
        }
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
}
