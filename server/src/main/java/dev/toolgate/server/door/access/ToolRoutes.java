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
import dev.toolgate.server.config.ExternalToolSettings;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.Impersonation;
import dev.toolgate.server.gate.Submitted;
import java.util.List;
import java.util.Set;

/** Routes to execute tools, to validate calls, and to list what an agent may use. */
public final class ToolRoutes {
    private final JsonRecord<ExecuteRequest> executeRequest = JsonRecord.of(ExecuteRequest.class);
    private final JsonRecord<AuthorizeRequest> authorizeRequest = JsonRecord.of(AuthorizeRequest.class);
    private final JsonRecord<ValidateRequest> validateRequest = JsonRecord.of(ValidateRequest.class);
    private final ExternalToolSettings permits;
    private final int maxBodyBytes;
    private final Gate gate;
    private final HttpCalls calls;
    private final Grants grants;
    private final ExecuteAnswer answers;
    private final ValidateAnswer validations;

    /**
     * @param permits how long permits are valid
     * @param maxBodyBytes the maximum size of a request body
     */
    public ToolRoutes(
            Gate gate,
            HttpCalls calls,
            Grants grants,
            GrantAdvice advice,
            ExternalToolSettings permits,
            int maxBodyBytes) {
        this.permits = permits;
        this.maxBodyBytes = maxBodyBytes;
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
                        .withMaxBodyBytes(maxBodyBytes)
                        .recorded(Recording.BY_GATE),
                Route.post("/api/v1/tools/authorize", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::authorize)
                        .withMaxBodyBytes(maxBodyBytes)
                        .recorded(Recording.BY_GATE),
                Route.post("/api/v1/tools/validate", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::validate)
                        .withMaxBodyBytes(maxBodyBytes)
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
        return submit(exchange, request, request.call());
    }

    private Response authorize(Exchange exchange) {
        AuthorizeRequest request = exchange.json(authorizeRequest);
        return submit(exchange, request.call(), request.permit(permits));
    }

    private Response submit(Exchange exchange, ExecuteRequest request, CallRequest call) {
        return switch (calls.submit(exchange, call)) {
            case Submitted.Taken taken -> answers.encode(taken.call(), taken.answer());
            case Impersonation attempt -> answers.impersonation(request, attempt, ownTools(exchange.principal()));
        };
    }

    private Response validate(Exchange exchange) {
        ValidateRequest request = exchange.json(validateRequest);
        Principal principal = exchange.principal();
        HttpCalls.requireActing(principal, request.agentId());
        return validations.encode(request, principal.tenant(), gate.dryRun(principal, request.call()));
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
