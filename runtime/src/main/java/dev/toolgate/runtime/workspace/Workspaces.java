package dev.toolgate.runtime.workspace;

import dev.toolgate.core.call.WorkspaceKey;
import dev.toolgate.core.decision.PathResolver;
import dev.toolgate.core.tool.ToolFailure;
import java.util.List;

/** Provides the workspace of a call. Thread-safe. */
@FunctionalInterface
public interface Workspaces {

    /**
     * The workspace of a call, opened if necessary. It stays open until the lease is closed.
     *
     * @throws ToolFailure if it cannot be opened
     */
    WorkspaceLease lease(WorkspaceKey key) throws ToolFailure;

    /** The same workspace for every call, for programs that embed the runtime. */
    static Workspaces single(OpenWorkspace workspace) {
        return _ -> new WorkspaceLease(workspace, () -> {});
    }

    /** Resolves paths in these workspaces; empty for a workspace that cannot be opened. */
    default PathResolver pathResolver() {
        return (key, path) -> {
            try (WorkspaceLease workspace = lease(key)) {
                return workspace.files().resolvedPaths(path);
            } catch (ToolFailure unusable) {
                return List.of();
            }
        };
    }
}
