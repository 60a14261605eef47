package dev.toolgate.server.admin.directory;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.toolgate.server.admin.permission.PermissionAnswer;
import dev.toolgate.store.grant.GroupSummary;
import dev.toolgate.store.grant.Permission;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One group.
 *
 * @param members one page of them, in order
 * @param permissions the group's permissions by tool
 */
record GroupDetails(@JsonUnwrapped GroupAnswer group, List<String> members, Map<String, PermissionAnswer> permissions) {

    static GroupDetails of(GroupSummary group, List<String> members, List<Permission> permissions, Instant now) {
        Map<String, PermissionAnswer> byTool = new TreeMap<>();
        permissions.forEach(permission -> byTool.put(permission.toolName(), PermissionAnswer.of(permission, now)));
        return new GroupDetails(GroupAnswer.of(group), members, byTool);
    }
}
