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

    /** Waits for the exit of the command, not for the end of its output; empty after a time-out. */
    OptionalInt waitFor(Duration timeout) throws InterruptedException;

    /**
     * Sends SIGTERM to every process of the tree and kills those left after the grace period. When this returns, none
     * is alive.
     */
    void terminate(Duration grace);

    /** Why the sandbox ended the command, such as excessive memory use; empty if it did not. */
    default Optional<String> endReason() {
        return Optional.empty();
    }

    /** Kills the remaining processes of the tree and releases all resources. */
    @Override
    void close();
}
