package dev.toolgate.server.wiring;

import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.call.WorkspaceKey;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.runtime.BuiltInTools;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.tools.file.FileChanges;
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
 * Wires the workspaces of all tenants and the built-in tools.
 *
 * @param addresses the addresses that tools may reach
 * @param writes tracks the files each session has changed
 */
record WorkspaceParts(Workspaces workspaces, RuntimeSettings runtime, AddressPolicies addresses, WriteTracker writes) {
    private static final WorkspaceKey FIRST = new WorkspaceKey(Principal.FIRST_TENANT, WorkspaceId.DEFAULT);

    /**
     * Opens the workspace of the first tenant; others are opened on demand.
     *
     * @throws IOException if it cannot be used
     */
    static WorkspaceParts open(
            ServerSettings settings, RuntimeSettings runtime, AddressPolicies addresses, Resources resources)
            throws IOException {
        TenantWorkspaces folders = new TenantWorkspaces(
                Principal.FIRST_TENANT, runtime, PartSettings.tenantWorkspaces(settings), addresses);
        WorkspacePool workspaces = resources.register(new WorkspacePool(folders::find, IdleLimits.standard()));
        workspaces.prepare(FIRST);
        return new WorkspaceParts(workspaces, runtime, addresses, new WriteTracker());
    }

    /** The built-in tools, shared by all tenants. */
    List<Tool<?>> tools(KeptChanges kept) {
        return BuiltInTools.all(new FileChanges(workspaces, writes, kept), addresses, runtime);
    }

    /** The confinement of commands, tested in the first tenant's workspace; may take a moment. */
    Confinement confinement() {
        try (WorkspaceLease workspace = workspaces.lease(FIRST)) {
            return workspace.confinement();
        } catch (ToolFailure unusable) {
            return new Confinement(
                    Confinement.Level.UNAVAILABLE, "none", unusable.failure().message());
        }
    }
}
