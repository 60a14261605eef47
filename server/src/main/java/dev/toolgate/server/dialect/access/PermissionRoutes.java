package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Dialect;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.server.http.JsonRecord;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Right;
import dev.toolgate.store.grant.Edit;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.Holder;
import dev.toolgate.store.grant.Permission;
import dev.toolgate.store.grant.PermissionHistory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changing what agents may use, one tool at a time or many. A tool with a slash in its name is written with %2F. */
public final class PermissionRoutes {
    private static final String ONE = "/api/v1/permissions/{agent_id}/{tool_name}";
    private static final int LARGEST_BULK = 16 << 20;

    private final JsonRecord<WantedPermission> wantedPermission = JsonRecord.of(WantedPermission.class);
    private final JsonRecord<BulkRequest> bulkRequest = JsonRecord.of(BulkRequest.class);
    private final GrantAdministration administration;
    private final PermissionHistory permissions;
    private final ToolNames tools;
    private final InstantSource clock;

    public PermissionRoutes(
            GrantAdministration administration,
            PermissionHistory permissions,
            ToolCatalog catalog,
            InstantSource clock) {
        this.administration = administration;
        this.permissions = permissions;
        this.tools = new ToolNames(catalog);
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        Access change = Access.needs(Right.CHANGE_PERMISSIONS);
        return List.of(
                Route.put(ONE, change, Dialect.STANDARD, this::set).withSlashesIn("agent_id", "tool_name"),
                Route.delete(ONE, change, Dialect.STANDARD, this::clear)
                        .withSlashesIn("agent_id", "tool_name")
                        .withQuery(Authors.REASON),
                Route.post("/api/v1/permissions/bulk", change, Dialect.STANDARD, this::bulk)
                        .withLargestBody(LARGEST_BULK));
    }

    private Response set(Exchange exchange) {
        WantedPermission wanted = exchange.json(wantedPermission);
        Instant now = clock.instant();
        edit(exchange, wanted.setting(now), wanted.reason());
        return permissions
                .permission(tenant(exchange), agent(exchange), tool(exchange))
                .map(set -> Response.json(HeldPermission.of(set, now).warning(wanted.warning(tools, set.toolName()))))
                .orElseThrow(() -> nothingSet(exchange)); // somebody else has cleared it meanwhile
    }

    private Response clear(Exchange exchange) {
        Permission before = permissions
                .permission(tenant(exchange), agent(exchange), tool(exchange))
                .orElseThrow(() -> nothingSet(exchange));
        administration.edit(
                tenant(exchange),
                List.of(new Edit(before.holder(), before.toolName(), new Edit.Clear())),
                Authors.of(exchange));
        return Response.empty();
    }

    private Response bulk(Exchange exchange) {
        BulkRequest request = exchange.json(bulkRequest);
        Instant now = clock.instant();
        List<Edit> edits = request.edits(tools, now);
        return Refusals.ofBody(() -> {
            administration.edit(tenant(exchange), edits, Authors.of(exchange, request.reason()));
            return Response.json(new Changed(edits.size(), request.warnings(tools)));
        });
    }

    private void edit(Exchange exchange, Edit.Setting setting, @Nullable String reason) {
        int _ = Refusals.ofPath(() -> {
            Edit edit = new Edit(new Holder.Agent(agent(exchange)), tool(exchange), setting);
            administration.edit(tenant(exchange), List.of(edit), Authors.of(exchange, reason));
            return 1;
        });
    }

    private static HttpFailure nothingSet(Exchange exchange) {
        return HttpFailure.notFound("Nothing is set for agent '" + exchange.path("agent_id") + "' and tool '"
                + exchange.path("tool_name") + "'.");
    }

    private String tool(Exchange exchange) {
        return tools.canonical(exchange.path("tool_name"));
    }

    private static AgentId agent(Exchange exchange) {
        return Ids.agent(exchange.path("agent_id"));
    }

    private static TenantId tenant(Exchange exchange) {
        return exchange.principal().tenant();
    }

    private record Changed(int changed, List<String> warnings) {}
}
