package dev.toolgate.store.checkpoint;

import java.io.IOException;

/** Stores checkpoints outside the database. */
public interface CheckpointStore extends AutoCloseable {

    /** Its name for messages. */
    String name();

    /**
     * Saves a checkpoint; it is durable when this returns.
     *
     * @throws IOException if it may not have been saved; the caller retries
     */
    void save(Checkpoint checkpoint) throws IOException;

    @Override
    default void close() throws IOException {}
}
