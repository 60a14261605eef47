package dev.toolgate.server.tenant;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceKey;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.workspace.WorkspaceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Finds the folder of a call's workspace. Every tenant has one folder, which all of its workspaces share: a workspace's
 * name is only a namespace for artifacts.
 */
public final class TenantWorkspaces {
    private final TenantId firstTenant;
    private final RuntimeSettings settings;
    private final Path others;
    private final AddressPolicies addresses;

    /**
     * @param settings for the first tenant; for others without the folders
     * @param others the parent of the folders of all other tenants
     * @param addresses the network access of each tenant's commands
     */
    public TenantWorkspaces(TenantId firstTenant, RuntimeSettings settings, Path others, AddressPolicies addresses) {
        this.firstTenant = firstTenant;
        this.settings = settings;
        this.others = others;
        this.addresses = addresses;
    }

    /** The workspace of a call, and how its commands are confined. */
    public WorkspaceSettings find(WorkspaceKey key) {
        TenantId tenant = key.tenant();
        AddressPolicy reachable = addresses.of(tenant);
        if (tenant.equals(firstTenant)) {
            return settings.workspaceSettings(reachable);
        }
        String name = folderName(tenant);
        // Files may be shared with other servers; write tracking and spooled output are local to this one.
        return new WorkspaceSettings(
                others.resolve(name).resolve("workspace"),
                null,
                settings.stateFolder().resolve("tenants").resolve(name).resolve("state"),
                settings.sandboxMode(),
                settings.sandbox(),
                reachable);
    }

    /**
     * The folder name of a tenant: distinct for every id, also on case-insensitive file systems, and without escaping
     * the parent.
     */
    public static String folderName(TenantId tenant) {
        StringBuilder name = new StringBuilder();
        for (byte part : tenant.value().getBytes(StandardCharsets.UTF_8)) {
            if ((part >= 'a' && part <= 'z') || (part >= '0' && part <= '9') || part == '-' || part == '_') {
                name.append((char) part);
            } else {
                name.append('%').append(Character.forDigit((part >> 4) & 15, 16));
                name.append(Character.forDigit(part & 15, 16));
            }
        }
        return name.toString();
    }
}
