package dev.toolgate.server.admin.permission;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.door.Authors;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.Edit;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.Groups;
import dev.toolgate.store.grant.Holder;
import dev.toolgate.store.grant.Permission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Routes to set and clear permissions of groups. A slash in a tool's name is encoded as %2F. */
public final class GroupPermissionRoutes {
    private static final String ONE = "/api/v1/groups/{group_id}/permissions/{tool_name}";
    private static final String PERMISSIONS = "permissions";
    private static final RouteAccess CHANGE = RouteAccess.needs(Right.CHANGE_PERMISSIONS);

    private final JsonRecord<WantedPermission> wantedPermission = JsonRecord.of(WantedPermission.class);
    private final GrantAdministration administration;
    private final Groups groups;
    private final ToolCatalog catalog;
    private final Administration recording;
    private final InstantSource clock;

    public GroupPermissionRoutes(
            GrantAdministration administration,
            Groups groups,
            ToolCatalog catalog,
            Administration recording,
            InstantSource clock) {
        this.recording = recording;
        this.administration = administration;
        this.groups = groups;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.put(ONE, CHANGE, Dialect.STANDARD, recording.handler(PERMISSIONS, "set", this::set))
                        .withSlashesIn("group_id", "tool_name"),
                Route.delete(ONE, CHANGE, Dialect.STANDARD, recording.handler(PERMISSIONS, "clear", this::clear))
                        .withSlashesIn("group_id", "tool_name")
                        .withQuery(Authors.REASON));
    }

    private Response set(Exchange exchange, Change change) {
        WantedPermission wanted = exchange.json(wantedPermission);
        Instant now = clock.instant();
        edit(exchange, change, wanted.setting(now), Authors.of(exchange, wanted.reason()));
        HeldPermission after = HeldPermission.of(permission(exchange).orElseThrow(() -> nothingSet(exchange)), now);
        change.changedTo(List.of(after));
        return Response.json(after.warning(wanted.warning(tools(exchange), tool(exchange))));
    }

    private Response clear(Exchange exchange, Change change) {
        if (permission(exchange).isEmpty()) {
            throw nothingSet(exchange);
        }
        edit(exchange, change, new Edit.Clear(), Authors.of(exchange));
        return Response.empty();
    }

    private void edit(Exchange exchange, Change change, Edit.Setting setting, Author author) {
        Instant now = clock.instant();
        change.because(author.reason())
                .begin(permission(exchange).stream()
                        .map(before -> HeldPermission.of(before, now))
                        .toList());
        int _ = FailureMapping.unknownAsNotFound(() -> {
            Edit edit = new Edit(PathIds.group(exchange.path("group_id")), tool(exchange), setting);
            administration.edit(tenant(exchange), List.of(edit), author);
            return 1;
        });
    }

    private Optional<Permission> permission(Exchange exchange) {
        Holder.Group group = PathIds.group(exchange.path("group_id"));
        return groups.permissions(tenant(exchange), group).stream()
                .filter(permission -> permission.toolName().equals(tool(exchange)))
                .findFirst();
    }

    private static HttpFailure nothingSet(Exchange exchange) {
        return HttpFailure.notFound("Nothing is set for group '" + exchange.path("group_id") + "' and tool '"
                + exchange.path("tool_name") + "'.");
    }

    private ToolNameFields tools(Exchange exchange) {
        return new ToolNameFields(catalog, tenant(exchange));
    }

    private String tool(Exchange exchange) {
        return tools(exchange).canonical(exchange.path("tool_name"));
    }

    private static TenantId tenant(Exchange exchange) {
        return exchange.principal().tenant();
    }
}
