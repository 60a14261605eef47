package dev.toolgate.client;

import dev.toolgate.client.model.EffectivePermission;
import dev.toolgate.client.model.Grant;
import dev.toolgate.client.model.Permission;
import dev.toolgate.client.model.PermissionChange;
import dev.toolgate.client.model.Template;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which agent may use which tool. */
public final class Permissions {
    private static final String PATH = "/api/v1/permissions";

    private final Connection connection;

    Permissions(Connection connection) {
        this.connection = connection;
    }

    /** What an agent may use, and why. */
    public List<EffectivePermission> of(String agentId) {
        Reply reply = connection.send(Request.get(Request.path("/api/v1/agents", agentId, "permissions")));
        return Json.readList(reply.json().path("permissions"), EffectivePermission.class);
    }

    /** Allows an agent a tool. */
    public Permission allow(String agentId, String tool) {
        return allow(agentId, tool, Grant.allowed());
    }

    /** Allows an agent a tool on terms, in place of what was set before. */
    public Permission allow(String agentId, String tool, Grant grant) {
        return set(agentId, tool, grant.terms());
    }

    /** Refuses an agent a tool, whatever its groups allow. */
    public Permission refuse(String agentId, String tool, @Nullable String reason) {
        return set(
                agentId,
                tool,
                new Json.Body().put("allowed", false).put("reason", reason).fields());
    }

    /** Removes what is set for an agent itself; the permissions of its groups apply. */
    public void clear(String agentId, String tool, @Nullable String reason) {
        connection.send(Request.delete(Request.query(Request.path(PATH, agentId, tool), "reason", reason)));
    }

    /** Who changed which permission, when and why, newest first; of all agents if null. */
    public Stream<PermissionChange> changes(@Nullable String agentId) {
        return Pages.of(connection, Request.query(PATH + "/changes", "agent_id", agentId), PermissionChange.class);
    }

    /** Sets of tools for common roles. */
    public List<Template> templates() {
        return Json.readList(connection.send(Request.get("/api/v1/templates")).json(), Template.class);
    }

    private Permission set(String agentId, String tool, Object terms) {
        Reply reply = connection.send(Request.put(Request.path(PATH, agentId, tool), terms));
        return Json.read(reply.json(), Permission.class);
    }
}
