package dev.toolgate.core.memory;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.port.Policies;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Policy bundles in memory. */
public final class InMemoryPolicies implements Policies {
    private final Map<SessionId, PolicyBundle> bundles = new ConcurrentHashMap<>();

    /** Starts a session under this bundle, or replaces the bundle of a running one. */
    public InMemoryPolicies put(PolicyBundle bundle) {
        bundles.put(bundle.sessionId(), bundle);
        return this;
    }

    /** Ends a session; effective for the next call. */
    public void end(SessionId session) {
        bundles.remove(session);
    }

    @Override
    public Optional<PolicyBundle> find(TenantId tenant, SessionId session) {
        return Optional.ofNullable(bundles.get(session))
                .filter(bundle -> bundle.tenantId().equals(tenant));
    }
}
