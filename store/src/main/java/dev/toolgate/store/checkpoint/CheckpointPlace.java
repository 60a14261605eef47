package dev.toolgate.store.checkpoint;

import java.io.IOException;

/** Somewhere outside the database where checkpoints are kept. */
public interface CheckpointPlace extends AutoCloseable {

    /** What it is, for people. */
    String name();

    /**
     * Keeps a checkpoint; when this returns it is durable.
     *
     * @throws IOException with one sentence, if it may not have been kept; it is offered again
     */
    void keep(Checkpoint checkpoint) throws IOException;

    @Override
    default void close() throws IOException {}
}
