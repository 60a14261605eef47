package dev.toolgate.server.gate;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Response;
import dev.toolgate.store.approval.CollectedCalls;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Finds the outcome of a call for whoever comes back for it; each door writes it in its own shape. */
public final class CallCollector {
    private final Gate gate;
    private final CollectedCalls calls;

    public CallCollector(Gate gate, CollectedCalls calls) {
        this.gate = gate;
        this.calls = calls;
    }

    /**
     * Turns those away who collect nothing, before the call is looked at.
     *
     * @throws HttpFailure if their role does not collect outcomes
     */
    public static void requireCollector(Principal principal) {
        if (!(principal.may(Right.CALL_AS_ITSELF)
                || principal.may(Right.CALL_FOR_ANY_AGENT)
                || principal.may(Right.ANSWER_APPROVALS))) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role '" + principal.role().wireName() + "' may not collect the outcomes of calls.");
        }
    }

    /**
     * The outcome, or 202 while there is none yet.
     *
     * @param wanted whose call; {@code null} if any agent's that has one under this id
     * @param encode how the dialect writes what became of the call
     * @throws HttpFailure if there is no such call for this principal, or its outcome is not kept
     */
    public Response collect(
            Principal principal,
            RequestId request,
            @Nullable AgentId wanted,
            BiFunction<Call, Answer, Response> encode) {
        requireCollector(principal);
        CollectedCalls.Collected found = find(principal, request, wanted);
        return switch (found.standing()) {
            case HELD -> held(request, found);
            case RUNNING -> PendingAnswer.running(request);
            case ENDED ->
                found.outcome() == null
                        ? PendingAnswer.running(request)
                        : ended(principal, request, found, found.outcome(), encode);
            case FORGOTTEN ->
                throw HttpFailure.notFound("The call '" + request
                        + "' has ended and its outcome is not kept; its record is in the audit log.");
        };
    }

    private CollectedCalls.Collected find(Principal principal, RequestId request, @Nullable AgentId wanted) {
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

    private Response ended(
            Principal principal,
            RequestId request,
            CollectedCalls.Collected found,
            Outcome outcome,
            BiFunction<Call, Answer, Response> encode) {
        Caller caller =
                new Caller(principal.tenant(), found.agent(), null, new WorkspaceId("default"), principal.name());
        Call call =
                Call.of(caller, found.tool(), Json.MAPPER.createObjectNode()).as(request);
        Optional<Failure> objection =
                outcome instanceof Outcome.Refused ? Optional.empty() : gate.objectionToReading(call, found.tools());
        return objection
                .map(why -> encode.apply(call, gate.refuse(call, why)))
                .orElseGet(() -> encode.apply(call, new Answer(request, outcome, true)));
    }
}
