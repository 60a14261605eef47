package dev.toolgate.core.pipeline;

import java.util.Optional;

/** One step on the path of a call. */
@FunctionalInterface
public interface Stage {

    /** Adds its part to the passage; empty if the call goes on to the next stage. */
    Optional<StageEnd> apply(Passage passage) throws InterruptedException;
}
