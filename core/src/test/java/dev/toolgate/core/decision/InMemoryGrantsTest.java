package dev.toolgate.core.decision;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;

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
