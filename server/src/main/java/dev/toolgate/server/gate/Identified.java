package dev.toolgate.server.gate;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.policy.Session;
import org.jspecify.annotations.Nullable;

/** Whether a principal may act as the agent it names. */
public sealed interface Identified permits Identified.Known, Impersonation {

    /**
     * The principal may act as the agent.
     *
     * @param session the caller's session, if it had to be read to find the agent; {@code null} if not
     */
    record Known(Caller caller, @Nullable Session session) implements Identified {}
}
