package dev.toolgate.server.admin.review;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.EntityTag;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.door.Urls;
import dev.toolgate.store.grant.PermissionSnapshots;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Route to what every agent may do with every tool, in a compact form that is sent only if it has changed. */
public final class CompactMatrixRoute {
    private static final String MATRIX = "/api/v1/permissions/matrix";
    private static final int MAX_AGENTS = 2_000;

    private final PermissionSnapshots snapshots;
    private final ToolCatalog catalog;
    private final InstantSource clock;

    public CompactMatrixRoute(PermissionSnapshots snapshots, ToolCatalog catalog, InstantSource clock) {
        this.snapshots = snapshots;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(Route.get(MATRIX, RouteAccess.needs(Right.READ_PERMISSIONS), Dialect.STANDARD, this::matrix)
                .withQuery("limit", "after"));
    }

    private Response matrix(Exchange exchange) {
        TenantId tenant = exchange.principal().tenant();
        int limit = exchange.query().number("limit", 1, MAX_AGENTS).orElse(MAX_AGENTS);
        AgentId after = exchange.query().text("after").map(PathIds::agent).orElse(null);
        List<Tool<?>> tools = catalog.all(tenant);
        Instant now = clock.instant();
        // Read before the permissions: a tag that is older than its matrix only makes a client ask once more.
        EntityTag tag = tag(snapshots.fingerprint(tenant, now), tools, limit, after);
        Map<String, String> headers = new HashMap<>(tag.headers());
        if (tag.isKnownTo(exchange)) {
            return new Response.Empty(304, headers);
        }
        PermissionSnapshots.Page page = page(tenant, after, limit);
        if (page.next() != null) {
            Map<String, String> next = Map.of(
                    "limit", Integer.toString(limit), "after", page.next().value());
            headers.put("Link", "<" + Urls.of(MATRIX, next) + ">; rel=\"next\"");
        }
        return new Response.Json(200, CompactMatrix.of(page, tools, now), headers);
    }

    private PermissionSnapshots.Page page(TenantId tenant, @Nullable AgentId after, int limit) {
        try {
            return snapshots.page(tenant, after, limit);
        } catch (PermissionSnapshots.TooMany tooMany) {
            throw new BadRequest(tooMany.getMessage() + " Use the query parameter 'limit'.");
        }
    }

    private static EntityTag tag(
            PermissionSnapshots.Fingerprint fingerprint, List<Tool<?>> tools, int limit, @Nullable AgentId after) {
        StringBuilder facts = new StringBuilder(fingerprint.facts());
        facts.append('\n').append(limit).append('\n').append(after == null ? "" : after.value());
        tools.forEach(tool -> facts.append('\n').append(tool.spec().name()));
        return EntityTag.of(fingerprint.version() + "-", facts.toString());
    }
}
