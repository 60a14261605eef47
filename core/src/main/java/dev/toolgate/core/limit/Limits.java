package dev.toolgate.core.limit;

import dev.toolgate.core.call.Caller;
import java.time.Duration;
import java.util.Optional;

/** Rate limits on calls. */
@FunctionalInterface
public interface Limits {
    /** No limits. */
    Limits NONE = (caller, tool) -> Optional.empty();

    /** Counts the call; returns how long to wait if it exceeds a limit. */
    Optional<Duration> mustWait(Caller caller, String tool);
}
