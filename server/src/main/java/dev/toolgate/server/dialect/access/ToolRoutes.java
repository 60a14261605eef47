package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.port.Grants;
import dev.toolgate.server.dialect.HttpCalls;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Dialect;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.JsonRecord;
import dev.toolgate.server.http.Recording;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.server.identity.Right;
import dev.toolgate.server.operate.Gate;
import dev.toolgate.server.operate.Impersonation;
import dev.toolgate.server.operate.Submitted;
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
                Route.post("/api/v1/tools/execute", Access.anyPrincipal(), Dialect.STANDARD, this::execute)
                        .withLargestBody(largestCall)
                        .recorded(Recording.BY_GATE),
                Route.post("/api/v1/tools/validate", Access.anyPrincipal(), Dialect.STANDARD, this::validate)
                        .withLargestBody(largestCall)
                        .recorded(Recording.NOTHING_TO_RECORD),
                Route.get(
                                "/api/v1/tools/permissions/{agent_id}",
                                Access.anyPrincipal(),
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
        AgentId agent = Ids.agent(exchange.path("agent_id"));
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
