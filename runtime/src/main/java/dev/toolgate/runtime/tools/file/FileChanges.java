package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.runtime.workspace.Workspaces;

/**
 * How tools change files.
 *
 * @param tracker tracks the files that each session changes
 * @param kept keeps what is needed to undo a change
 */
public record FileChanges(Workspaces workspaces, WriteTracker tracker, KeptChanges kept) {

    /** Leases the workspace of a call until the result is closed. */
    TrackedChanges in(ToolContext context) throws ToolFailure {
        return new TrackedChanges(workspaces.lease(context.workspace()), this);
    }
}
