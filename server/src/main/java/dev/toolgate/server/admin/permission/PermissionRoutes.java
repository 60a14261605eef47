package dev.toolgate.server.admin.permission;

import dev.toolgate.core.call.AgentId;
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
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.door.Refusals;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.Edit;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.Holder;
import dev.toolgate.store.grant.Permission;
import dev.toolgate.store.grant.PermissionHistory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** Changing what agents may use, one tool at a time or many. A tool with a slash in its name is written with %2F. */
public final class PermissionRoutes {
    private static final String ONE = "/api/v1/permissions/{agent_id}/{tool_name}";
    private static final String PERMISSIONS = "permissions";
    private static final int LARGEST_BULK = 16 << 20;

    private final JsonRecord<WantedPermission> wantedPermission = JsonRecord.of(WantedPermission.class);
    private final JsonRecord<BulkRequest> bulkRequest = JsonRecord.of(BulkRequest.class);
    private final GrantAdministration administration;
    private final PermissionHistory permissions;
    private final ToolNameFields tools;
    private final Administration recording;
    private final InstantSource clock;

    public PermissionRoutes(
            GrantAdministration administration,
            PermissionHistory permissions,
            ToolCatalog catalog,
            Administration recording,
            InstantSource clock) {
        this.administration = administration;
        this.permissions = permissions;
        this.tools = new ToolNameFields(catalog);
        this.recording = recording;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        RouteAccess change = RouteAccess.needs(Right.CHANGE_PERMISSIONS);
        return List.of(
                Route.put(ONE, change, Dialect.STANDARD, recording.handler(PERMISSIONS, "set", this::set))
                        .withSlashesIn("agent_id", "tool_name"),
                Route.delete(ONE, change, Dialect.STANDARD, recording.handler(PERMISSIONS, "clear", this::clear))
                        .withSlashesIn("agent_id", "tool_name")
                        .withQuery(Authors.REASON),
                Route.post(
                                "/api/v1/permissions/bulk",
                                change,
                                Dialect.STANDARD,
                                recording.handler(PERMISSIONS, "bulk", this::bulk))
                        .withLargestBody(LARGEST_BULK));
    }

    private Response set(Exchange exchange, Change change) {
        WantedPermission wanted = exchange.json(wantedPermission);
        Instant now = clock.instant();
        Edit edit = new Edit(new Holder.Agent(agent(exchange)), tool(exchange), wanted.setting(now));
        change(exchange, change, List.of(edit), Authors.of(exchange, wanted.reason()), Refusals::ofPath);
        return permissions
                .permission(tenant(exchange), agent(exchange), tool(exchange))
                .map(set -> Response.json(HeldPermission.of(set, now).warning(wanted.warning(tools, set.toolName()))))
                .orElseThrow(() -> nothingSet(exchange)); // somebody else has cleared it meanwhile
    }

    private Response clear(Exchange exchange, Change change) {
        Permission before = permissions
                .permission(tenant(exchange), agent(exchange), tool(exchange))
                .orElseThrow(() -> nothingSet(exchange));
        Edit edit = new Edit(before.holder(), before.toolName(), new Edit.Clear());
        change(exchange, change, List.of(edit), Authors.of(exchange), Refusals::ofPath);
        return Response.empty();
    }

    private Response bulk(Exchange exchange, Change change) {
        BulkRequest request = exchange.json(bulkRequest);
        Instant now = clock.instant();
        List<Edit> edits = request.edits(tools, now);
        change(exchange, change, edits, Authors.of(exchange, request.reason()), Refusals::ofBody);
        return Response.json(new Changed(edits.size(), request.warnings(tools)));
    }

    private void change(Exchange exchange, Change change, List<Edit> edits, Author author, Refusing refusing) {
        change.because(author.reason()).begins(held(exchange, edits));
        int _ = refusing.of(() -> {
            administration.edit(tenant(exchange), edits, author);
            return 1;
        });
        change.became(held(exchange, edits));
    }

    /** Whether what the store does not know is missing at the path or wrong in the body. */
    private interface Refusing {
        int of(Supplier<Integer> work);
    }

    /** What is set now where something is to change. */
    private List<HeldPermission> held(Exchange exchange, List<Edit> edits) {
        Instant now = clock.instant();
        return permissions.current(tenant(exchange), edits).stream()
                .map(permission -> HeldPermission.of(permission, now))
                .toList();
    }

    private static HttpFailure nothingSet(Exchange exchange) {
        return HttpFailure.notFound("Nothing is set for agent '" + exchange.path("agent_id") + "' and tool '"
                + exchange.path("tool_name") + "'.");
    }

    private String tool(Exchange exchange) {
        return tools.canonical(exchange.path("tool_name"));
    }

    private static AgentId agent(Exchange exchange) {
        return PathIds.agent(exchange.path("agent_id"));
    }

    private static TenantId tenant(Exchange exchange) {
        return exchange.principal().tenant();
    }

    private record Changed(int changed, List<String> warnings) {}
}
