package dev.toolgate.runtime.workspace;

import dev.toolgate.runtime.command.ConfinedCommands;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.files.Workspace;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** The use of a workspace by one call; the workspace stays open until the lease is closed. */
public final class WorkspaceLease implements AutoCloseable {
    private final OpenWorkspace workspace;
    private final Runnable release;
    private final AtomicBoolean released = new AtomicBoolean();

    /**
     * @param release called once, when the lease is closed
     */
    public WorkspaceLease(OpenWorkspace workspace, Runnable release) {
        this.workspace = workspace;
        this.release = release;
    }

    /** The files of the workspace. */
    public Workspace files() {
        return workspace.files();
    }

    /** Runs commands in the workspace. */
    public ConfinedCommands commands() {
        return workspace.commands();
    }

    /** How commands are confined; takes a moment the first time. */
    public Confinement confinement() {
        return workspace.sandbox().confinement();
    }

    /** Why commands cannot write to the workspace and what to do; empty if they can. */
    public Optional<String> writeProblem() {
        return workspace.writeProblem();
    }

    @Override
    public void close() {
        if (released.compareAndSet(false, true)) {
            release.run();
        }
    }
}
