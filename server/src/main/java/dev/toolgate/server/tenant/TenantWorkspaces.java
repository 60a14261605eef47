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
 * Says which folder a call works in. Every tenant has a folder of its own, which all of its workspaces share: a
 * workspace by name is a name space for artifacts, and operators find the files where the settings say.
 */
public final class TenantWorkspaces {
    private final TenantId firstTenant;
    private final RuntimeSettings settings;
    private final Path others;
    private final AddressPolicies addresses;

    /**
     * @param settings for the first tenant; for the others all but the folders
     * @param others where every other tenant has a folder of its own
     * @param addresses what the commands of each tenant may reach
     */
    public TenantWorkspaces(TenantId firstTenant, RuntimeSettings settings, Path others, AddressPolicies addresses) {
        this.firstTenant = firstTenant;
        this.settings = settings;
        this.others = others;
        this.addresses = addresses;
    }

    /** Where the workspace of a call is, and how its commands are confined. */
    public WorkspaceSettings find(WorkspaceKey key) {
        TenantId tenant = key.tenant();
        AddressPolicy reachable = addresses.of(tenant);
        if (tenant.equals(firstTenant)) {
            return settings.workspaceReaching(reachable);
        }
        String name = folderName(tenant);
        // Files may be shared with other gates; notes about writes and spooled output are this gate's own.
        return new WorkspaceSettings(
                others.resolve(name).resolve("workspace"),
                null,
                settings.stateFolder().resolve("tenants").resolve(name).resolve("state"),
                settings.sandboxMode(),
                settings.sandbox(),
                reachable);
    }

    // No two ids share a folder, also where names differ only in case, and none leads elsewhere.
    static String folderName(TenantId tenant) {
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
