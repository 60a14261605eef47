package dev.toolgate.server.door.access;

import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.RunsAt;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Route to list tools: all for principals that may read permissions, otherwise those the principal's agents may use.
 */
public final class CatalogRoutes {
    private final ToolCatalog catalog;
    private final Grants grants;

    public CatalogRoutes(ToolCatalog catalog, Grants grants) {
        this.catalog = catalog;
        this.grants = grants;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(Route.get("/api/v1/tools", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::list));
    }

    private Response list(Exchange exchange) {
        return Response.json(visible(exchange.principal())
                .map(tool -> ToolAnswer.of(tool.spec(), tool.runsAt()))
                .toList());
    }

    private Stream<Tool<?>> visible(Principal principal) {
        Stream<Tool<?>> all = catalog.all(principal.tenant()).stream();
        if (principal.may(Right.READ_PERMISSIONS)) {
            return all;
        }
        Set<String> own = principal.boundTo().orElse(Set.of()).stream()
                .flatMap(agent -> grants.toolsOf(principal.tenant(), agent).stream())
                .collect(Collectors.toSet());
        return all.filter(tool -> own.contains(tool.spec().name()));
    }

    private record ToolAnswer(
            String name,
            List<String> aliases,
            String description,
            String capability,
            String category,
            String danger,
            String executedBy,
            ObjectNode inputSchema,
            @Nullable ObjectNode resultSchema) {

        static ToolAnswer of(ToolSpec<?> spec, RunsAt runsAt) {
            return new ToolAnswer(
                    spec.name(),
                    spec.aliases().stream().map(Alias::name).toList(),
                    spec.description(),
                    spec.capability(),
                    spec.category().wireName(),
                    spec.danger().wireName(),
                    runsAt.wireName(),
                    spec.arguments().schema(),
                    spec.resultSchema().orElse(null));
        }
    }
}
