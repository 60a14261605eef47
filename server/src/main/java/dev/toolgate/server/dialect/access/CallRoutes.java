package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.port.Grants;
import dev.toolgate.server.dialect.HttpCalls;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Dialect;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.http.Route;
import java.util.List;

/** Coming back for the outcome of a call. */
public final class CallRoutes {
    private final HttpCalls calls;
    private final ExecuteAnswer answers;

    public CallRoutes(HttpCalls calls, Grants grants, GrantAdvice advice) {
        this.calls = calls;
        this.answers = new ExecuteAnswer(grants, advice);
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.get("/api/v1/calls/{request_id}", Access.anyPrincipal(), Dialect.STANDARD, this::collect)
                .withSlashesIn("request_id")
                .withQuery("agent_id"));
    }

    // Two agents may have a call under the same id; an agent means its own.
    private Response collect(Exchange exchange) {
        RequestId request = Refusals.ofBody(() -> new RequestId(exchange.path("request_id")));
        AgentId wanted = exchange.query()
                .text("agent_id")
                .map(text -> Refusals.ofBody(() -> new AgentId(text)))
                .orElse(exchange.principal().agent());
        return calls.collect(exchange.principal(), request, wanted, answers::encode);
    }
}
