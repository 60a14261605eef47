package dev.toolgate.runtime.workspace;

import dev.toolgate.core.call.WorkspaceKey;
import dev.toolgate.core.decision.Places;
import dev.toolgate.core.tool.ToolFailure;
import java.util.List;

/** Gives a tool the workspace that its call works in. Safe for use from many threads. */
@FunctionalInterface
public interface Workspaces {

    /**
     * The workspace of a call, opened if it is not open yet. It stays open until the lease is closed.
     *
     * @throws ToolFailure if it cannot be opened
     */
    WorkspaceLease lease(WorkspaceKey key) throws ToolFailure;

    /** The same workspace for every call, as a program has it that embeds the runtime. */
    static Workspaces only(OpenWorkspace workspace) {
        return _ -> new WorkspaceLease(workspace, () -> {});
    }

    /** Where paths lead in these workspaces; nowhere in one that cannot be opened. */
    default Places places() {
        return (key, path) -> {
            try (WorkspaceLease workspace = lease(key)) {
                return workspace.files().places(path);
            } catch (ToolFailure unusable) {
                return List.of();
            }
        };
    }
}
