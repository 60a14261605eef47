package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.stdio.StdioProcess;
import dev.toolgate.mcp.client.stdio.StdioTimeouts;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;

/** A server program as a command in the sandbox. */
final class SandboxedProcess implements StdioProcess, AutoCloseable {
    private final RunningCommand command;
    private volatile OptionalInt exitCode = OptionalInt.empty();

    SandboxedProcess(RunningCommand command) {
        this.command = command;
    }

    @Override
    public OutputStream stdin() {
        return command.stdin();
    }

    @Override
    public InputStream stdout() {
        return command.stdout();
    }

    @Override
    public InputStream stderr() {
        return command.stderr();
    }

    @Override
    public boolean waitFor(Duration timeout) throws InterruptedException {
        OptionalInt exit = command.waitFor(timeout);
        if (exit.isEmpty()) {
            return false;
        }
        exitCode = exit;
        // Ends the remaining child processes and closes the proxy; the rest of the output can still be read.
        command.terminate(Duration.ZERO);
        return true;
    }

    @Override
    public void terminate() {
        command.terminate(StdioTimeouts.DEFAULT.terminate());
    }

    @Override
    public void kill() {
        command.close();
    }

    @Override
    public OptionalInt exitCode() {
        return exitCode;
    }

    /** Ends the program if it still runs, and releases everything. */
    @Override
    public void close() {
        command.close();
    }
}
