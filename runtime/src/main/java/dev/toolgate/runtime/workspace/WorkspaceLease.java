package dev.toolgate.runtime.workspace;

import dev.toolgate.runtime.command.ConfinedCommands;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.files.Workspace;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** The use of a workspace by one call; the workspace is not closed before the lease is. */
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

    /** Its files. */
    public Workspace files() {
        return workspace.files();
    }

    /** Runs commands in it. */
    public ConfinedCommands commands() {
        return workspace.commands();
    }

    /** What confines commands in it; may take a moment the first time. */
    public Confinement confinement() {
        return workspace.sandbox().confinement();
    }

    /** Why commands cannot write the workspace and what to do about it; empty if they can. */
    public Optional<String> complaint() {
        return workspace.complaint();
    }

    @Override
    public void close() {
        if (released.compareAndSet(false, true)) {
            release.run();
        }
    }
}
