package dev.toolgate.server.door.hook;

import dev.toolgate.core.audit.Permits;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.digest.Sha256;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.Identified;
import dev.toolgate.server.gate.Impersonation;
import dev.toolgate.store.mcp.PendingCalls;
import dev.toolgate.store.mcp.PendingCalls.CallOwner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Gets permits for a caller whose calls have a new id each time they are sent: equal calls of one conversation share a
 * request id until one of them gets the permit or the refusal, so that a call sent again after its approval is
 * recognised as the approved one. A permit is valid only for the call it was issued for, even if equal calls are sent
 * concurrently.
 */
final class HookPermits {
    private static final int MAX_ATTEMPTS = 3;

    private final Gate gate;
    private final HttpCalls calls;
    private final Permits permits;
    private final PendingCalls pending;

    HookPermits(Gate gate, HttpCalls calls, Permits permits, PendingCalls pending) {
        this.gate = gate;
        this.calls = calls;
        this.permits = permits;
        this.pending = pending;
    }

    /** The decision about a call. */
    sealed interface Verdict {
        /** It may run, once. */
        record Allowed(RequestId request) implements Verdict {}

        /** It waits for an approval, and must not run until then. */
        record Waiting(Answer.Held held) implements Verdict {}

        /** It must not run. */
        record Denied(Failure why) implements Verdict {}
    }

    Verdict decide(Exchange exchange, AgentId agent, HookCall call, Duration validFor) {
        CallRequest request = call.permit(validFor).as(agent, CallRequest.Acting.CALLING);
        return switch (gate.identify(exchange.principal(), request)) {
            case Impersonation attempt -> new Verdict.Denied(attempt.why());
            case Identified.Known known -> decide(exchange, owner(known.caller()), call, request);
        };
    }

    private Verdict decide(Exchange exchange, CallOwner owner, HookCall call, CallRequest request) {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            RequestId id = pending.begin(
                            owner,
                            request.toolName(),
                            digest(call),
                            new RequestId(UUID.randomUUID().toString()))
                    .requestId();
            Answer answer = calls.submit(exchange, request.named(id)).answer();
            if (isDecided(answer)) {
                pending.end(owner, id); // the next equal call is a new one
            }
            Optional<Verdict> verdict =
                    switch (answer) {
                        case Answer.Held held -> Optional.of(new Verdict.Waiting(held));
                        case Answer.Undecided undecided -> Optional.of(new Verdict.Denied(undecided.failure()));
                        case Answer.Permitted _ ->
                            isFor(call, owner, id) ? Optional.of(new Verdict.Allowed(id)) : Optional.empty();
                        case Answer.Ended ended -> denied(ended.outcome());
                    };
            if (verdict.isPresent()) {
                return verdict.get();
            }
        }
        return new Verdict.Denied(Failure.of(
                ErrorCode.SERVICE_UNAVAILABLE, "Equal calls are being made at the same time; make the call again"));
    }

    // A held or undecided call keeps its request id, because the client sends it again.
    private static boolean isDecided(Answer answer) {
        return switch (answer) {
            case Answer.Ended _, Answer.Permitted _ -> true;
            case Answer.Held _ -> false;
            case Answer.Undecided undecided -> undecided.failure().code() == ErrorCode.REQUEST_ID_TAKEN;
        };
    }

    // The outcome of an equal call that ran concurrently does not apply to this one.
    private static Optional<Verdict> denied(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Refused refused -> Optional.of(new Verdict.Denied(refused.failure()));
            case Outcome.Failed failed
            when failed.failure().code() == ErrorCode.INVALID_REQUEST ->
                Optional.of(new Verdict.Denied(failed.failure()));
            case Outcome.Failed _, Outcome.Completed _ -> Optional.empty();
        };
    }

    // Of several concurrent equal calls, the permit records the id of one.
    private boolean isFor(HookCall call, CallOwner owner, RequestId id) {
        return permits.open(owner.tenant(), owner.agent(), call.id()).stream()
                .anyMatch(permit -> permit.key().requestId().equals(id));
    }

    private static CallOwner owner(Caller caller) {
        return new CallOwner(caller.tenant(), caller.agent(), caller.principal());
    }

    private static byte[] digest(HookCall call) {
        return Sha256.of(
                (call.tool() + '\n' + call.conversation() + '\n' + call.arguments()).getBytes(StandardCharsets.UTF_8));
    }
}
