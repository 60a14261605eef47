package dev.toolgate.server.gate;

import dev.toolgate.core.call.Caller;

/** Whether a principal may act as the agent that it wants to act as. */
public sealed interface Identified permits Identified.Known, Impersonation {

    /** It may, and this is the caller. */
    record Known(Caller caller) implements Identified {}
}
