package dev.toolgate.core.policy;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import java.util.Optional;

/** The sessions and the policy bundles that bind them. */
@FunctionalInterface
public interface Policies {

    /** Finds a session of this tenant, including ended ones. */
    Optional<Session> find(TenantId tenant, SessionId session);
}
