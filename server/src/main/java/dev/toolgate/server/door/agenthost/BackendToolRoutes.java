package dev.toolgate.server.door.agenthost;

import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.FieldNames;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Gate;
import java.util.List;

/** The door for agent hosts. */
public final class BackendToolRoutes {
    private final JsonRecord<Invocation> invocation =
            JsonRecord.of(Invocation.class, FieldNames.AS_WRITTEN, JsonRecord.UnknownFields.IGNORED);
    private final Gate gate;
    private final HttpCalls calls;
    private final int maxBodyBytes;

    /**
     * @param maxBodyBytes the maximum size of a request body
     */
    public BackendToolRoutes(Gate gate, HttpCalls calls, int maxBodyBytes) {
        this.gate = gate;
        this.calls = calls;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.post("/tools/{tool_name}/invoke", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::invoke)
                        .withSlashesIn("tool_name")
                        .withMaxBodyBytes(maxBodyBytes)
                        .recorded(Recording.BY_GATE),
                Route.get(
                                "/tools/{tool_name}/invocations/{request_id}",
                                RouteAccess.anyPrincipal(),
                                Dialect.STANDARD,
                                this::collect)
                        .withSlashesIn("tool_name", "request_id")
                        .withQuery("sessionId", "taskId", "stepId"));
    }

    private Response invoke(Exchange exchange) {
        Invocation asked = exchange.json(invocation);
        if (!asked.toolName().equals(exchange.path("tool_name"))) {
            throw HttpFailure.conflict(
                    "Field 'toolName' and the path name different tools; send the same name in both.");
        }
        CallRequest call = CallRequest.of(asked.toolName(), asked.arguments())
                .in(asked.sessionId(), asked.workspaceId())
                .named(asked.requestId())
                .from(CallContext.NONE.inTask(asked.taskId(), asked.stepId()));
        return InvokeAnswer.of(asked.step(), calls.submit(exchange, call).answer());
    }

    /** Collects the result of an invocation that was held. */
    private Response collect(Exchange exchange) {
        HttpCalls.requireCollector(exchange.principal());
        InvokedStep step = InvokedStep.of(exchange);
        RequestId request = InvokedStep.checked("request_id", () -> new RequestId(exchange.path("request_id")));
        return calls.collect(
                exchange.principal(),
                request,
                gate.agentIn(exchange.principal(), step.sessionId()),
                (_, answer) -> InvokeAnswer.of(step, answer));
    }
}
