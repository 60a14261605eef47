package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.files.Access;
import dev.toolgate.runtime.sandbox.files.Workspace;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;

/** The way tools change files: found with the right to write, and noted with the tracker. */
record TrackedChanges(Workspace workspace, WriteTracker tracker) {

    /** What is done to a file. */
    interface Change {
        void make(WorkspaceFile file) throws ToolFailure, InterruptedException;
    }

    /** The file with this path, if the call may change it. */
    WorkspaceFile locate(String path, ToolContext context) throws ToolFailure, InterruptedException {
        return workspace.locate(path, Access.WRITE, context.bounds());
    }

    /** Makes the change; returns what the file held before. */
    Snapshot make(Change change, WorkspaceFile file, ToolContext context) throws ToolFailure, InterruptedException {
        Snapshot before = Snapshot.of(file);
        change.make(file);
        tracker.changed(context.call().caller(), file, before);
        return before;
    }
}
