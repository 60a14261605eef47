package dev.toolgate.server.operate;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.server.identity.Right;
import dev.toolgate.store.approval.CollectedCalls;

/** Finds the outcome of a call for whoever comes back for it; each door writes it in its own shape. */
public final class CallCollector {
    private final CollectedCalls calls;

    public CallCollector(CollectedCalls calls) {
        this.calls = calls;
    }

    /** Writes the outcome of a call that has ended. */
    @FunctionalInterface
    public interface Encoder {
        Response encode(CollectedCalls.Collected call, Outcome outcome);
    }

    /**
     * The outcome, or 202 while there is none yet.
     *
     * @throws HttpFailure if there is no such call for this principal, or its outcome is not kept
     */
    public Response collect(Principal principal, RequestId request, Encoder encoder) {
        if (!(principal.may(Right.CALL_AS_ITSELF)
                || principal.may(Right.CALL_FOR_ANY_AGENT)
                || principal.may(Right.ANSWER_APPROVALS))) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role '" + principal.role().wireName() + "' may not collect the outcomes of calls.");
        }
        CollectedCalls.Collected found = calls.find(principal.tenant(), request)
                .filter(call -> principal.mayActAs(call.agent()) || principal.may(Right.ANSWER_APPROVALS))
                .orElseThrow(() -> HttpFailure.notFound("There is no call '" + request + "'."));
        return switch (found.standing()) {
            case HELD -> held(request, found);
            case RUNNING -> PendingAnswer.running(request);
            case ENDED ->
                found.outcome() == null
                        ? PendingAnswer.running(request)
                        : encoder.encode(found, found.outcome());
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
}
