package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of the permission matrix.
 *
 * @param agents the agents of this page, sorted, including those without permissions
 * @param permissions their own permissions, sorted by agent and tool, without those of groups
 * @param next the last agent of this page, to request the next one; {@code null} on the last page
 */
public record PermissionPage(
        List<String> agents,
        List<Permission> permissions,
        @Nullable AgentId next) {
    public PermissionPage {
        agents = List.copyOf(agents);
        permissions = List.copyOf(permissions);
    }
}
