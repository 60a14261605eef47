package dev.toolgate.mcp.client.stdio;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;

/** A running server program: its streams and the means to end it with everything that it has started. */
public interface StdioProcess {
    /** What the server reads. */
    OutputStream stdin();

    /** The server's messages. */
    InputStream stdout();

    /** What the server says to people. */
    InputStream stderr();

    /** Waits until the program has ended; false if it has not by then. */
    boolean waitFor(Duration timeout) throws InterruptedException;

    /** Asks the whole process group to end (TERM). */
    void terminate();

    /** Ends the whole process group (KILL). */
    void kill();

    /** How the program ended; empty while it runs, or if that is not known. */
    OptionalInt exitCode();
}
