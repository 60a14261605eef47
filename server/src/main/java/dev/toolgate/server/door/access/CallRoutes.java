package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.HttpCalls;
import java.util.List;

/** Route to collect the outcome of a call. */
public final class CallRoutes {
    private final HttpCalls calls;
    private final ExecuteAnswer answers;

    public CallRoutes(HttpCalls calls, Grants grants, GrantAdvice advice) {
        this.calls = calls;
        this.answers = new ExecuteAnswer(grants, advice);
    }

    /** The route. */
    public List<Route> all() {
        return List.of(
                Route.get("/api/v1/calls/{request_id}", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::collect)
                        .withSlashesIn("request_id")
                        .withQuery("agent_id"));
    }

    // Two agents may use the same request id; for an agent, its own call is meant.
    private Response collect(Exchange exchange) {
        RequestId request = FailureMapping.unknownAsConflict(() -> new RequestId(exchange.path("request_id")));
        AgentId wanted = exchange.query()
                .text("agent_id")
                .map(text -> FailureMapping.unknownAsConflict(() -> new AgentId(text)))
                .orElse(exchange.principal().agent());
        return calls.collect(exchange.principal(), request, wanted, answers::encode);
    }
}
