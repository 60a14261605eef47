package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.schema.Json;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Dialect;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.server.identity.Right;
import dev.toolgate.server.operate.Gate;
import dev.toolgate.server.operate.PendingAnswer;
import dev.toolgate.store.approval.CollectedCalls;
import java.util.List;
import java.util.Optional;

/** Coming back for the outcome of a call. */
public final class CallRoutes {
    private final Gate gate;
    private final CollectedCalls calls;
    private final ExecuteAnswer answers;

    public CallRoutes(Gate gate, CollectedCalls calls, Grants grants, GrantAdvice advice) {
        this.gate = gate;
        this.calls = calls;
        this.answers = new ExecuteAnswer(grants, advice);
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.get("/api/v1/calls/{request_id}", Access.anyPrincipal(), Dialect.STANDARD, this::collect)
                .withSlashesIn("request_id")
                .withQuery("agent_id"));
    }

    private Response collect(Exchange exchange) {
        Principal principal = exchange.principal();
        if (!(principal.may(Right.CALL_AS_ITSELF)
                || principal.may(Right.CALL_FOR_ANY_AGENT)
                || principal.may(Right.ANSWER_APPROVALS))) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role '" + principal.role().wireName() + "' may not collect the outcomes of calls.");
        }
        RequestId request = Refusals.ofBody(() -> new RequestId(exchange.path("request_id")));
        CollectedCalls.Collected found = find(exchange, request);
        return switch (found.standing()) {
            case HELD -> held(request, found);
            case RUNNING -> PendingAnswer.running(request);
            case ENDED -> ended(principal, request, found);
            case FORGOTTEN ->
                throw HttpFailure.notFound("The call '" + request
                        + "' has ended and its outcome is not kept; its record is in the audit log.");
        };
    }

    // Two agents may have a call under the same id; an agent means its own.
    private CollectedCalls.Collected find(Exchange exchange, RequestId request) {
        Principal principal = exchange.principal();
        AgentId wanted = exchange.query()
                .text("agent_id")
                .map(text -> Refusals.ofBody(() -> new AgentId(text)))
                .orElse(principal.agent());
        List<CollectedCalls.Collected> found = calls.find(principal.tenant(), request, wanted).stream()
                .filter(call -> principal.mayActAs(call.agent()) || principal.may(Right.ANSWER_APPROVALS))
                .toList();
        if (found.isEmpty()) {
            throw HttpFailure.notFound("There is no call '" + request + "'.");
        }
        if (found.size() > 1) {
            throw HttpFailure.conflict("Several agents have a call '" + request
                    + "'; say which one you mean with the query parameter 'agent_id'.");
        }
        return found.getFirst();
    }

    private static Response held(RequestId request, CollectedCalls.Collected found) {
        return found.question() == null || found.expiresAt() == null
                ? PendingAnswer.running(request)
                : PendingAnswer.stillHeld(request, new Answer.Held(found.question(), found.expiresAt()));
    }

    private Response ended(Principal principal, RequestId request, CollectedCalls.Collected found) {
        if (found.outcome() == null) {
            return PendingAnswer.running(request);
        }
        Caller caller =
                new Caller(principal.tenant(), found.agent(), null, new WorkspaceId("default"), principal.name());
        Call call =
                Call.of(caller, found.tool(), Json.MAPPER.createObjectNode()).as(request);
        Optional<Failure> objection = found.outcome() instanceof Outcome.Refused
                ? Optional.empty()
                : gate.objectionToReading(call, found.tools());
        if (objection.isPresent()) {
            return answers.encode(call, gate.refuse(call, objection.get()));
        }
        return answers.encode(call, new Answer(request, found.outcome(), true));
    }
}
