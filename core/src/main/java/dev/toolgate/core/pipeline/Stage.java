package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Outcome;
import java.util.Optional;

/** One step on the path of a call. */
@FunctionalInterface
public interface Stage {

    /** Adds its part to the passage, or ends the call with an outcome. */
    Optional<Outcome> apply(Passage passage) throws InterruptedException;
}
