package dev.toolgate.server.admin.permission;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.toolgate.store.grant.Holder;
import dev.toolgate.store.grant.Permission;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A permission with its holder: an agent, or a group for all its members. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record HeldPermission(
        String source,
        @Nullable String agentId,
        @Nullable String groupId,
        String toolName,
        @Nullable String warning,
        @JsonUnwrapped PermissionAnswer permission) {

    static HeldPermission of(Permission permission, Instant now) {
        PermissionAnswer answer = PermissionAnswer.of(permission, now);
        return switch (permission.holder()) {
            case Holder.Agent agent ->
                new HeldPermission("agent", agent.id().value(), null, permission.toolName(), null, answer);
            case Holder.Group group ->
                new HeldPermission("group", null, group.id(), permission.toolName(), null, answer);
        };
    }

    /** A copy with a warning. */
    HeldPermission warning(Optional<String> newWarning) {
        return new HeldPermission(source, agentId, groupId, toolName, newWarning.orElse(null), permission);
    }
}
