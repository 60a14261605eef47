package dev.toolgate.store.audit.retention;

import dev.toolgate.store.checkpoint.TreeHead;
import java.io.IOException;

/** Vouches for what retention removes, so that nobody else can remove records in its name. */
@FunctionalInterface
public interface PruneWitness {

    /**
     * Puts on record outside the database that the records up to here are going.
     *
     * @throws IOException if that cannot be done now, and then they stay
     */
    void going(TreeHead head) throws IOException;
}
