package dev.toolgate.core.limit;

import dev.toolgate.core.call.Caller;
import java.time.Duration;
import java.util.Optional;

/** How often an agent may call a tool. */
@FunctionalInterface
public interface Limits {
    /** No limits. */
    Limits NONE = (caller, tool) -> Optional.empty();

    /** Counts the call, or says how long to wait; empty means go on. */
    Optional<Duration> mustWait(Caller caller, String tool);
}
