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
    private final Map<Key, PolicyBundle> bundles = new ConcurrentHashMap<>();

    /** Starts a session under this bundle, or replaces the bundle of a running one. */
    public InMemoryPolicies put(PolicyBundle bundle) {
        bundles.put(new Key(bundle.tenantId(), bundle.sessionId()), bundle);
        return this;
    }

    /** Ends a session; effective for the next call. */
    public void end(TenantId tenant, SessionId session) {
        bundles.remove(new Key(tenant, session));
    }

    @Override
    public Optional<PolicyBundle> find(TenantId tenant, SessionId session) {
        return Optional.ofNullable(bundles.get(new Key(tenant, session)));
    }

    private record Key(TenantId tenant, SessionId session) {}
}
