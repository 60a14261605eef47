package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.files.Access;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;
import dev.toolgate.runtime.workspace.WorkspaceLease;
import dev.toolgate.runtime.workspace.Workspaces;

/** The way tools change files: found with the right to write, and noted with the tracker. */
record TrackedChanges(WorkspaceLease workspace, WriteTracker tracker) implements AutoCloseable {

    /** In the workspace of a call, which stays open until this is closed. */
    static TrackedChanges in(Workspaces workspaces, WriteTracker tracker, ToolContext context) throws ToolFailure {
        return new TrackedChanges(workspaces.lease(context.workspace()), tracker);
    }

    /** What is done to a file. */
    interface Change {
        void make(WorkspaceFile file) throws ToolFailure, InterruptedException;
    }

    /** The file with this path, if the call may change it. */
    WorkspaceFile locate(String path, ToolContext context) throws ToolFailure, InterruptedException {
        return workspace.files().locate(path, Access.WRITE, context.bounds());
    }

    /** Makes the change; returns what the file held before. */
    Snapshot make(Change change, WorkspaceFile file, ToolContext context) throws ToolFailure, InterruptedException {
        Snapshot before = Snapshot.of(file);
        change.make(file);
        tracker.changed(context.call().caller(), file, before);
        return before;
    }

    @Override
    public void close() {
        workspace.close();
    }
}
