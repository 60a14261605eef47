package dev.toolgate.core.policy;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import java.util.Optional;

/** The sessions and the policy bundles that bind them. */
@FunctionalInterface
public interface Policies {

    /** A session of this tenant, one that has ended too; empty if there is no such session. */
    Optional<Session> find(TenantId tenant, SessionId session);
}
