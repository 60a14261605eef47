package dev.toolgate.server.admin.approval;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.pipeline.ShownArguments;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.ToolNameFields;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Routes to list, show and answer approval requests. */
public final class ApprovalRoutes {
    private static final String ALL = "/api/v1/approvals";
    private static final String ONE = ALL + "/{approval_id}";
    private static final List<String> FILTERS = List.of("state", "agent_id", "tool_name");

    private final JsonRecord<AnswerRequest> answerRequest = JsonRecord.of(AnswerRequest.class);
    private final ApprovalDesk desk;
    private final ApprovalAnswerHandler answerHandler;
    private final ToolCatalog catalog;
    private final Redactor redactor;

    public ApprovalRoutes(
            ApprovalDesk desk, ApprovalAnswerHandler answerHandler, ToolCatalog catalog, Redactor redactor) {
        this.desk = desk;
        this.answerHandler = answerHandler;
        this.catalog = catalog;
        this.redactor = redactor;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(ALL, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::list)
                        .withQuery("state", "agent_id", "tool_name", "limit", "after"),
                Route.get(ONE, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::show),
                Route.post(ONE, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::answer)
                        .recorded(Recording.BY_ADMINISTRATION));
    }

    private Response list(Exchange exchange) {
        Page page = Page.of(exchange);
        AgentId wanted = exchange.query()
                .text("agent_id")
                .map(text -> FailureMapping.unknownAsConflict(() -> new AgentId(text)))
                .orElse(null);
        ApprovalDesk.Filter filter = new ApprovalDesk.Filter(
                exchange.query().text("state").map(ApprovalRoutes::state).orElse(null),
                ApprovalVisibility.agentFilter(exchange.principal(), wanted),
                exchange.query()
                        .text("tool_name")
                        .map(new ToolNameFields(catalog, exchange.principal().tenant())::canonical)
                        .orElse(null),
                ApprovalVisibility.principalFilter(exchange.principal()));
        List<ApprovalRequest> found =
                desk.list(tenant(exchange), filter, page.after(ApprovalIds::afterId), page.limitPlusOne());
        Map<String, String> filters = new LinkedHashMap<>();
        FILTERS.forEach(name -> exchange.query().text(name).ifPresent(value -> filters.put(name, value)));
        return new Response.Json(
                200,
                found.stream().limit(page.limit()).map(ApprovalAnswer::of).toList(),
                page.next(ALL, found, request -> request.id().toString(), filters));
    }

    private Response show(Exchange exchange) {
        ApprovalRequest found = find(exchange);
        return Response.json(ApprovalAnswer.of(desk.heldCall(tenant(exchange), found.id())
                .map(call -> found.withArguments(ShownArguments.whole(call, redactor)))
                .orElse(found)));
    }

    private Response answer(Exchange exchange) {
        Principal principal = exchange.principal();
        ApprovalAnswerHandler.requireAnswerer(principal);
        AnswerRequest wanted = exchange.json(answerRequest);
        UUID id = find(exchange).id();
        return Response.json(ApprovalAnswer.of(
                answerHandler.answer(principal, exchange.correlationId(), id, wanted.by(principal.name()))));
    }

    private ApprovalRequest find(Exchange exchange) {
        UUID id = ApprovalIds.id(exchange.path("approval_id"));
        return desk.find(tenant(exchange), id)
                .filter(request -> ApprovalVisibility.maySee(exchange.principal(), request))
                .orElseThrow(ApprovalIds::none);
    }

    private static ApprovalDesk.State state(String text) {
        return Arrays.stream(ApprovalDesk.State.values())
                .filter(state -> state.wireName().equals(text))
                .findFirst()
                .orElseThrow(() -> new BadRequest("The query parameter 'state' must be one of "
                        + String.join(
                                ", ",
                                Arrays.stream(ApprovalDesk.State.values())
                                        .map(ApprovalDesk.State::wireName)
                                        .toList())
                        + "."));
    }

    private static TenantId tenant(Exchange exchange) {
        return exchange.principal().tenant();
    }
}
