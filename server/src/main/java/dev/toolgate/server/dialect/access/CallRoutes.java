package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.schema.Json;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Dialect;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.server.operate.CallCollector;
import dev.toolgate.store.approval.CollectedCalls;
import java.util.List;

/** Coming back for the outcome of a call. */
public final class CallRoutes {
    private final CallCollector calls;
    private final ExecuteAnswer answers;

    public CallRoutes(CallCollector calls, Grants grants) {
        this.calls = calls;
        this.answers = new ExecuteAnswer(grants);
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.get("/api/v1/calls/{request_id}", Access.anyPrincipal(), Dialect.STANDARD, this::collect)
                .withSlashesIn("request_id"));
    }

    private Response collect(Exchange exchange) {
        Principal principal = exchange.principal();
        RequestId request = Refusals.ofBody(() -> new RequestId(exchange.path("request_id")));
        return calls.collect(principal, request, (call, outcome) -> ended(principal, request, call, outcome));
    }

    private Response ended(
            Principal principal, RequestId request, CollectedCalls.Collected found, Outcome outcome) {
        Caller caller = new Caller(principal.tenant(), found.agent(), null, new WorkspaceId("default"));
        Call call =
                Call.of(caller, found.tool(), Json.MAPPER.createObjectNode()).as(request);
        return answers.encode(call, new Answer(request, outcome, true));
    }
}
