package dev.toolgate.core.memory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.port.GrantsContract;

class InMemoryGrantsTest extends GrantsContract {
    private final InMemoryGrants grants = new InMemoryGrants();

    @Override
    protected Grants grants() {
        return grants;
    }

    @Override
    protected void grant(TenantId tenant, AgentId agent, String tool, Grants.Grant grant) {
        grants.grant(tenant, agent, tool, grant);
    }

    @Override
    protected void revoke(TenantId tenant, AgentId agent, String tool) {
        grants.revoke(tenant, agent, tool);
    }
}
