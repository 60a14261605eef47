package dev.toolgate.server.door.agenthost;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.Session;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.FieldNames;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.Impersonation;
import dev.toolgate.server.gate.CallCollector;
import dev.toolgate.server.gate.Gate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The door for agent hosts. */
public final class BackendToolRoutes {
    private final JsonRecord<Invocation> invocation =
            JsonRecord.of(Invocation.class, FieldNames.AS_WRITTEN, JsonRecord.UnknownFields.IGNORED);
    private final Gate gate;
    private final Policies sessions;
    private final CallCollector collector;
    private final int largestCall;

    /**
     * @param largestCall the most bytes the body of a call may have
     */
    public BackendToolRoutes(Gate gate, Policies sessions, CallCollector collector, int largestCall) {
        this.gate = gate;
        this.sessions = sessions;
        this.collector = collector;
        this.largestCall = largestCall;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.post("/tools/{tool_name}/invoke", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::invoke)
                        .withSlashesIn("tool_name")
                        .withLargestBody(largestCall)
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
        Principal principal = exchange.principal();
        Caller caller = new Caller(
                principal.tenant(),
                agent(principal, asked.sessionId()),
                asked.sessionId(),
                asked.workspaceId() == null ? WorkspaceId.DEFAULT : asked.workspaceId(),
                principal.name());
        Call unnamed = Call.of(caller, asked.toolName(), asked.arguments())
                .from(CallContext.NONE.inTask(asked.taskId(), asked.stepId()));
        Call call = asked.requestId() == null ? unnamed : unnamed.as(asked.requestId());
        if (!principal.mayActAs(caller.agent())) {
            Answer refused = gate.refuse(exchange, call, Impersonation.of(principal, caller.agent()));
            return InvokeAnswer.of(asked.step(), refused.outcome());
        }
        return gate.respond(
                exchange,
                call,
                asked.step().place(call.requestId()),
                answer -> InvokeAnswer.of(asked.step(), answer.outcome()));
    }

    /** The result of an invocation that was held, for the host that comes back for it. */
    private Response collect(Exchange exchange) {
        CallCollector.requireCollector(exchange.principal());
        InvokedStep step = InvokedStep.of(exchange);
        RequestId request = InvokedStep.checked("request_id", () -> new RequestId(exchange.path("request_id")));
        return collector.collect(
                exchange.principal(),
                request,
                agent(exchange.principal(), step.sessionId()),
                (_, answer) -> InvokeAnswer.of(step, answer.outcome()));
    }

    /**
     * The agent of the key; for those who have none the session's. Where there is no such session the call is on
     * record under the name of whoever made it.
     */
    private AgentId agent(Principal principal, SessionId session) {
        if (principal.agent() != null) {
            return principal.agent();
        }
        @Nullable
        AgentId owner =
                sessions.find(principal.tenant(), session).map(Session::agent).orElse(null);
        return owner == null ? new AgentId(principal.name()) : owner;
    }
}
