package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of the permission matrix.
 *
 * @param agents the agents of this page, in order, also those for whom nothing is set
 * @param permissions what is set for them, by agent and tool; what follows from groups is not in it
 * @param next ask for the agents after this one; {@code null} if there are no more
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
