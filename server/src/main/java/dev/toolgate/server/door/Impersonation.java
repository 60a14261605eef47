package dev.toolgate.server.door;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.identity.Principal;

/** A call in the name of an agent that is not the caller's to speak for. */
public final class Impersonation {
    private Impersonation() {}

    /** What the caller is told, and the record. */
    public static Failure of(Principal principal, AgentId agent) {
        return Failure.of(
                ErrorCode.PERMISSION_DENIED,
                "'" + principal.name() + "' with role '" + principal.role().wireName() + "' may not act for agent '"
                        + agent + "'");
    }
}
