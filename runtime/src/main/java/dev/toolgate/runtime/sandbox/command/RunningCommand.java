package dev.toolgate.runtime.sandbox.command;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A confined command that has been started. */
public interface RunningCommand extends AutoCloseable {

    OutputStream stdin();

    InputStream stdout();

    InputStream stderr();

    /** Waits for the command itself, not for the end of its output; empty if the time is up first. */
    OptionalInt waitFor(Duration patience) throws InterruptedException;

    /**
     * Asks every process of the tree to end, and ends whatever is left after the grace period. When
     * this returns nothing of the tree is alive.
     */
    void terminate(Duration grace);

    /** Why the sandbox itself ended the command, such as too much memory; empty if it did not. */
    default Optional<String> endedBecause() {
        return Optional.empty();
    }

    /** Ends what is left of the tree at once and lets go of everything. */
    @Override
    void close();
}
