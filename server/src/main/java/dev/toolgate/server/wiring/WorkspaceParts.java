package dev.toolgate.server.wiring;

import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.call.WorkspaceKey;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.BuiltInTools;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.tools.file.WriteTracker;
import dev.toolgate.runtime.workspace.IdleLimits;
import dev.toolgate.runtime.workspace.WorkspaceLease;
import dev.toolgate.runtime.workspace.WorkspacePool;
import dev.toolgate.runtime.workspace.Workspaces;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.tenant.TenantWorkspaces;
import java.io.IOException;
import java.util.List;

/**
 * The workspaces of all tenants and the tools that work in them, wired.
 *
 * @param tools each made once, for every tenant
 * @param writes what the file tools have changed, by session
 */
record WorkspaceParts(Workspaces workspaces, List<Tool<?>> tools, WriteTracker writes) {
    private static final WorkspaceKey FIRST = new WorkspaceKey(Principal.FIRST_TENANT, WorkspaceId.DEFAULT);

    /**
     * Opens the workspace of the first tenant; those of the others are opened when they are needed.
     *
     * @throws IOException if it cannot be used, in one sentence
     */
    static WorkspaceParts open(
            ServerSettings settings, RuntimeSettings runtime, AddressPolicies addresses, Resources resources)
            throws IOException {
        TenantWorkspaces folders = new TenantWorkspaces(
                Principal.FIRST_TENANT, runtime, PartSettings.tenantWorkspaces(settings), addresses);
        WorkspacePool workspaces = resources.register(new WorkspacePool(folders::find, IdleLimits.standard()));
        workspaces.prepare(FIRST);
        WriteTracker writes = new WriteTracker();
        return new WorkspaceParts(workspaces, BuiltInTools.all(workspaces, writes, addresses, runtime), writes);
    }

    /** What confines commands, as the first tenant's show it; finding out may take a moment. */
    Confinement confinement() {
        try (WorkspaceLease workspace = workspaces.lease(FIRST)) {
            return workspace.confinement();
        } catch (ToolFailure unusable) {
            return new Confinement(
                    Confinement.Level.UNAVAILABLE, "none", unusable.failure().message());
        }
    }
}
