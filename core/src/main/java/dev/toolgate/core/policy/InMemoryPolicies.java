package dev.toolgate.core.policy;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Sessions in memory. */
public final class InMemoryPolicies implements Policies {
    private final Map<Key, Session> sessions = new ConcurrentHashMap<>();

    /** Starts a session under this bundle, or replaces the bundle of a running one. */
    public InMemoryPolicies put(PolicyBundle bundle) {
        return put(Session.under(bundle));
    }

    /** Starts a session, or replaces a running one. */
    public InMemoryPolicies put(Session session) {
        sessions.put(new Key(session.bundle().tenantId(), session.bundle().sessionId()), session);
        return this;
    }

    /** Ends a session, effective with the next call. */
    public void end(TenantId tenant, SessionId session) {
        sessions.computeIfPresent(
                new Key(tenant, session),
                (_, running) -> new Session(running.bundle(), running.agent(), running.workspace(), Instant.now()));
    }

    @Override
    public Optional<Session> find(TenantId tenant, SessionId session) {
        return Optional.ofNullable(sessions.get(new Key(tenant, session)));
    }

    private record Key(TenantId tenant, SessionId session) {}
}
