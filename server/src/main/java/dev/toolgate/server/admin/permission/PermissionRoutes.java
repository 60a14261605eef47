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
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.PathIds;
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
import org.jspecify.annotations.Nullable;

/** Routes to change permissions of agents, one or many at a time. A slash in a tool's name is encoded as %2F. */
public final class PermissionRoutes {
    private static final String ONE = "/api/v1/permissions/{agent_id}/{tool_name}";
    private static final String PERMISSIONS = "permissions";
    private static final int MAX_BULK_BYTES = 16 << 20;

    private final JsonRecord<WantedPermission> wantedPermission = JsonRecord.of(WantedPermission.class);
    private final JsonRecord<BulkRequest> bulkRequest = JsonRecord.of(BulkRequest.class);
    private final GrantAdministration administration;
    private final PermissionHistory permissions;
    private final ToolCatalog catalog;
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
        this.catalog = catalog;
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
                        .withMaxBodyBytes(MAX_BULK_BYTES));
    }

    private Response set(Exchange exchange, Change change) {
        WantedPermission wanted = exchange.json(wantedPermission);
        Instant now = clock.instant();
        Edit edit = new Edit(new Holder.Agent(agent(exchange)), tool(exchange), wanted.setting(now));
        change(
                exchange,
                change,
                List.of(edit),
                Authors.of(exchange, wanted.reason()),
                null,
                FailureMapping::unknownAsNotFound);
        return permissions
                .permission(tenant(exchange), agent(exchange), tool(exchange))
                .map(set -> Response.json(
                        HeldPermission.of(set, now).warning(wanted.warning(tools(exchange), set.toolName()))))
                .orElseThrow(() -> nothingSet(exchange)); // cleared concurrently by another request
    }

    private Response clear(Exchange exchange, Change change) {
        Permission before = permissions
                .permission(tenant(exchange), agent(exchange), tool(exchange))
                .orElseThrow(() -> nothingSet(exchange));
        Edit edit = new Edit(before.holder(), before.toolName(), new Edit.Clear());
        change(exchange, change, List.of(edit), Authors.of(exchange), null, FailureMapping::unknownAsNotFound);
        return Response.empty();
    }

    private Response bulk(Exchange exchange, Change change) {
        BulkRequest request = exchange.json(bulkRequest);
        Instant now = clock.instant();
        List<Edit> edits = request.edits(tools(exchange), now);
        Author author = Authors.of(exchange, request.reason());
        change(exchange, change, edits, author, request.expectedVersion(), FailureMapping::unknownAsConflict);
        return Response.json(new Changed(edits.size(), request.warnings(tools(exchange))));
    }

    private void change(
            Exchange exchange,
            Change change,
            List<Edit> edits,
            Author author,
            @Nullable Long expectedVersion,
            Mapping mapping) {
        change.because(author.reason()).begin(held(exchange, edits));
        int _ = mapping.of(() -> {
            administration.edit(tenant(exchange), edits, author, expectedVersion);
            return 1;
        });
        change.changedTo(held(exchange, edits));
    }

    /** Maps failures of the store: an unknown id is 404 if it is in the path, 409 if it is in the body. */
    private interface Mapping {
        int of(Supplier<Integer> work);
    }

    /** The current permissions that the edits would change. */
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

    private ToolNameFields tools(Exchange exchange) {
        return new ToolNameFields(catalog, tenant(exchange));
    }

    private String tool(Exchange exchange) {
        return tools(exchange).canonical(exchange.path("tool_name"));
    }

    private static AgentId agent(Exchange exchange) {
        return PathIds.agent(exchange.path("agent_id"));
    }

    private static TenantId tenant(Exchange exchange) {
        return exchange.principal().tenant();
    }

    private record Changed(int changed, List<String> warnings) {}
}
