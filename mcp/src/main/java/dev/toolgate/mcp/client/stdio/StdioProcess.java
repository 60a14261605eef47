package dev.toolgate.mcp.client.stdio;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;

/** A running server program: its streams, and how to end it with all its child processes. */
public interface StdioProcess {
    /** The server's input. */
    OutputStream stdin();

    /** The server's messages. */
    InputStream stdout();

    /** The server's log output. */
    InputStream stderr();

    /** Waits for the program to end; false if the timeout elapses first. */
    boolean waitFor(Duration timeout) throws InterruptedException;

    /** Asks the whole process group to end (TERM). */
    void terminate();

    /** Ends the whole process group (KILL). */
    void kill();

    /** The exit code; empty while the program runs, or if it is unknown. */
    OptionalInt exitCode();
}
