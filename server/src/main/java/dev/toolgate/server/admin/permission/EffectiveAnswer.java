package dev.toolgate.server.admin.permission;

import dev.toolgate.store.directory.Agent;
import dev.toolgate.store.grant.EffectivePermission;
import dev.toolgate.store.grant.Permission;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The effective permissions of one agent, with the sources they come from. */
record EffectiveAnswer(String agentId, @Nullable String name, List<String> groups, List<Tool> permissions) {

    /**
     * One tool.
     *
     * @param state the combined state of all sources
     */
    record Tool(String toolName, boolean allowed, String state, List<HeldPermission> sources) {}

    static EffectiveAnswer of(Agent agent, List<String> groups, List<EffectivePermission> permissions, Instant now) {
        return new EffectiveAnswer(
                agent.agentId(),
                agent.name(),
                groups,
                permissions.stream().map(permission -> tool(permission, now)).toList());
    }

    private static Tool tool(EffectivePermission permission, Instant now) {
        return new Tool(
                permission.toolName(),
                permission.state() == Permission.State.ALLOWED,
                PermissionAnswer.word(permission.state()),
                permission.sources().stream()
                        .map(source -> HeldPermission.of(source.permission(), now))
                        .toList());
    }
}
