package dev.toolgate.core.policy;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;

class InMemoryPoliciesTest extends PoliciesContract {
    private final InMemoryPolicies policies = new InMemoryPolicies();

    @Override
    protected Policies policies() {
        return policies;
    }

    @Override
    protected void put(PolicyBundle bundle) {
        policies.put(bundle);
    }

    @Override
    protected void end(TenantId tenant, SessionId session) {
        policies.end(tenant, session);
    }
}
