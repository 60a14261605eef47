package dev.toolgate.core.port;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.PolicyBundle;
import java.util.Optional;

/** The policy bundles of the sessions. */
@FunctionalInterface
public interface Policies {

    /** The bundle of a session of this tenant; empty if there is no such session. */
    Optional<PolicyBundle> find(TenantId tenant, SessionId session);
}
