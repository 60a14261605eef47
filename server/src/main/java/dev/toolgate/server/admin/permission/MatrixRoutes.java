package dev.toolgate.server.admin.permission;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.store.directory.Agent;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.grant.Groups;
import dev.toolgate.store.grant.PermissionHistory;
import dev.toolgate.store.grant.PermissionPage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** Routes to the permission matrix of all agents and to the effective permissions of one. */
public final class MatrixRoutes {
    private static final String MATRIX = "/api/v1/permissions";
    /** Reaches every agent; below the other path, an agent named like a route, such as matrix, is unreachable. */
    private static final String EFFECTIVE = "/api/v1/agents/{agent_id}/permissions";

    private static final RouteAccess READ = RouteAccess.needs(Right.READ_PERMISSIONS);

    private final PermissionHistory permissions;
    private final Agents agents;
    private final Groups groups;
    private final ToolCatalog catalog;
    private final InstantSource clock;

    public MatrixRoutes(
            PermissionHistory permissions, Agents agents, Groups groups, ToolCatalog catalog, InstantSource clock) {
        this.permissions = permissions;
        this.agents = agents;
        this.groups = groups;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(MATRIX, READ, Dialect.STANDARD, this::matrix).withQuery("limit", "after"),
                Route.get(EFFECTIVE, READ, Dialect.STANDARD, this::effective).withSlashesIn("agent_id"),
                Route.get(MATRIX + "/{agent_id}", READ, Dialect.STANDARD, this::effective)
                        .withSlashesIn("agent_id"));
    }

    private Response matrix(Exchange exchange) {
        TenantId tenant = exchange.principal().tenant();
        Page page = Page.of(exchange);
        AgentId after = page.after(PathIds::agent);
        PermissionPage set = permissions.permissions(tenant, after, page.limit());
        MatrixAnswer matrix = MatrixAnswer.of(
                set,
                agents.list(tenant, after, page.limit()),
                groups.of(tenant, set.agents()),
                catalog.all(tenant),
                clock.instant());
        Map<String, String> headers = set.next() == null
                ? Map.of()
                : page.nextAfter(MATRIX, set.next().value(), Map.of());
        return new Response.Json(200, matrix, headers);
    }

    private Response effective(Exchange exchange) {
        TenantId tenant = exchange.principal().tenant();
        AgentId id = PathIds.agent(exchange.path("agent_id"));
        Agent agent = agents.find(tenant, id).orElseThrow(() -> PathIds.noAgent(id));
        List<String> own = groups.of(tenant, List.of(id.value())).getOrDefault(id.value(), List.of());
        Instant now = clock.instant();
        return Response.json(EffectiveAnswer.of(agent, own, permissions.effective(tenant, id), now));
    }
}
