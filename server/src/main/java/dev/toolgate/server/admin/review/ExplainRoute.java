package dev.toolgate.server.admin.review;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.gate.Gate;
import java.util.List;
import java.util.Optional;

/** Route to what the gate would decide about a call of any agent, rule by rule. */
public final class ExplainRoute {
    private final JsonRecord<ExplainRequest> explainRequest = JsonRecord.of(ExplainRequest.class);
    private final Gate gate;
    private final ToolCatalog catalog;
    private final int maxBodyBytes;

    /**
     * @param maxBodyBytes the maximum size of a request body, as for calls
     */
    public ExplainRoute(Gate gate, ToolCatalog catalog, int maxBodyBytes) {
        this.gate = gate;
        this.catalog = catalog;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(Route.post(
                        "/api/v1/permissions/explain",
                        RouteAccess.needs(Right.READ_PERMISSIONS),
                        Dialect.STANDARD,
                        this::explain)
                .withMaxBodyBytes(maxBodyBytes)
                .recorded(Recording.NOTHING_TO_RECORD));
    }

    private Response explain(Exchange exchange) {
        ExplainRequest request = exchange.json(explainRequest);
        TenantId tenant = exchange.principal().tenant();
        Optional<String> canonical =
                catalog.find(tenant, request.toolName()).map(Tool::spec).map(spec -> spec.name());
        return Response.json(ExplainAnswer.of(
                request.agentId().value(),
                canonical.orElse(request.toolName()),
                canonical.isPresent(),
                gate.explain(exchange.principal(), request.call())));
    }
}
