package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.core.tool.ToolFailure;

/** Starts commands so that they cannot reach further than their workspace. */
public interface CommandSandbox extends AutoCloseable {

    /**
     * Starts a command. Commands of one workspace run side by side, or wait for each other where the
     * settings ask for that; then the next one waits until this one has been terminated or closed.
     *
     * @throws ToolFailure if it cannot be confined; it then has not been started at all
     */
    RunningCommand start(CommandRequest request) throws ToolFailure, InterruptedException;

    /** What confines commands here, and how well. */
    Confinement confinement();

    /** Ends everything that is still running or waiting to be used. */
    @Override
    void close();
}
