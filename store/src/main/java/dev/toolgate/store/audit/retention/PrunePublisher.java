package dev.toolgate.store.audit.retention;

import dev.toolgate.store.checkpoint.TreeHead;
import java.io.IOException;

/** Publishes signed notes about the records that retention removes, so that other removals are detected. */
@FunctionalInterface
public interface PrunePublisher {

    /**
     * Saves outside the database that the records up to this head are removed.
     *
     * @throws IOException if that fails; the records must not be removed then
     */
    void publishPrune(TreeHead head) throws IOException;
}
