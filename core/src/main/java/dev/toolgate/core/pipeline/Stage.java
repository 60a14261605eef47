package dev.toolgate.core.pipeline;

import java.util.Optional;

/** One stage of the pipeline. */
@FunctionalInterface
public interface Stage {

    /** Applies the stage; empty if the call continues with the next one. */
    Optional<StageEnd> apply(CallProgress progress) throws InterruptedException;
}
