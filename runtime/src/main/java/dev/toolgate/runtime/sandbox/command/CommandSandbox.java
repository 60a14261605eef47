package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.core.tool.ToolFailure;

/** Runs commands confined to their workspace. */
public interface CommandSandbox extends AutoCloseable {

    /**
     * Starts a command. Commands of one workspace run concurrently unless the settings say otherwise; then the next one
     * waits until this one was terminated or closed.
     *
     * @throws ToolFailure if it cannot be confined; it was not started then
     */
    RunningCommand start(CommandRequest request) throws ToolFailure, InterruptedException;

    /** How commands are confined. */
    Confinement confinement();

    /** Ends all running commands and all prepared sandboxes. */
    @Override
    void close();
}
