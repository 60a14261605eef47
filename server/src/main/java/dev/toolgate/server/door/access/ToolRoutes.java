package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.Impersonation;
import dev.toolgate.server.gate.Submitted;
import java.util.List;
import java.util.Set;

/** Using tools: execute, validate, and what an agent may use. */
public final class ToolRoutes {
    private final JsonRecord<ExecuteRequest> executeRequest = JsonRecord.of(ExecuteRequest.class);
    private final JsonRecord<ValidateRequest> validateRequest = JsonRecord.of(ValidateRequest.class);
    private final int largestCall;
    private final Gate gate;
    private final HttpCalls calls;
    private final Grants grants;
    private final ExecuteAnswer answers;
    private final ValidateAnswer validations;

    /**
     * @param largestCall the most bytes the body of a call may have
     */
    public ToolRoutes(Gate gate, HttpCalls calls, Grants grants, GrantAdvice advice, int largestCall) {
        this.largestCall = largestCall;
        this.gate = gate;
        this.calls = calls;
        this.grants = grants;
        this.answers = new ExecuteAnswer(grants, advice);
        this.validations = new ValidateAnswer(grants, advice);
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.post("/api/v1/tools/execute", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::execute)
                        .withLargestBody(largestCall)
                        .recorded(Recording.BY_GATE),
                Route.post("/api/v1/tools/validate", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::validate)
                        .withLargestBody(largestCall)
                        .recorded(Recording.NOTHING_TO_RECORD),
                Route.get(
                                "/api/v1/tools/permissions/{agent_id}",
                                RouteAccess.anyPrincipal(),
                                Dialect.STANDARD,
                                this::permissions)
                        .withSlashesIn("agent_id"));
    }

    private Response execute(Exchange exchange) {
        ExecuteRequest request = exchange.json(executeRequest);
        return switch (calls.submit(exchange, request.call())) {
            case Submitted.Taken taken -> answers.encode(taken.call(), taken.answer());
            case Impersonation attempt -> answers.impersonation(request, attempt, ownTools(exchange.principal()));
        };
    }

    private Response validate(Exchange exchange) {
        ValidateRequest request = exchange.json(validateRequest);
        Principal principal = exchange.principal();
        HttpCalls.requireActing(principal, request.agentId());
        return validations.encode(request, principal.tenant(), gate.judge(principal, request.call()));
    }

    private Response permissions(Exchange exchange) {
        AgentId agent = PathIds.agent(exchange.path("agent_id"));
        Principal principal = exchange.principal();
        boolean own = principal.boundTo().orElse(Set.of()).contains(agent);
        if (!own && !principal.may(Right.READ_PERMISSIONS)) {
            HttpCalls.requireActing(principal, agent);
        }
        return Response.json(grants.toolsOf(principal.tenant(), agent));
    }

    private List<String> ownTools(Principal principal) {
        return principal.agent() == null ? List.of() : grants.toolsOf(principal.tenant(), principal.agent());
    }
}
