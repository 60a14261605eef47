package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
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
import dev.toolgate.server.operate.PendingAnswer;
import dev.toolgate.store.approval.CollectedCalls;
import java.util.List;

/** Coming back for the outcome of a call. */
public final class CallRoutes {
    private final CollectedCalls calls;
    private final ExecuteAnswer answers;

    public CallRoutes(CollectedCalls calls, Grants grants, GrantAdvice advice) {
        this.calls = calls;
        this.answers = new ExecuteAnswer(grants, advice);
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.get("/api/v1/calls/{request_id}", Access.anyPrincipal(), Dialect.STANDARD, this::collect)
                .withSlashesIn("request_id"));
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
        CollectedCalls.Collected found = calls.find(principal.tenant(), request)
                .filter(call -> principal.mayActAs(call.agent()) || principal.may(Right.ANSWER_APPROVALS))
                .orElseThrow(() -> HttpFailure.notFound("There is no call '" + request + "'."));
        return switch (found.standing()) {
            case HELD -> held(request, found);
            case RUNNING -> PendingAnswer.running(request);
            case ENDED -> ended(principal, request, found);
            case FORGOTTEN ->
                throw HttpFailure.notFound("The call '" + request
                        + "' has ended and its outcome is not kept; its record is in the audit log.");
        };
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
        Caller caller = new Caller(principal.tenant(), found.agent(), null, new WorkspaceId("default"));
        Call call =
                Call.of(caller, found.tool(), Json.MAPPER.createObjectNode()).as(request);
        return answers.encode(call, new Answer(request, found.outcome(), true));
    }
}
