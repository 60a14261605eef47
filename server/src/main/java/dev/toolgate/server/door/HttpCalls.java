package dev.toolgate.server.door;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.server.gate.CallCollector;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Callers;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.Submitted;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Takes the calls of HTTP requests to the gate, and finds their outcomes for those who come back; the same for every HTTP door. */
public final class HttpCalls {
    private final Gate gate;
    private final CallCollector collector;

    public HttpCalls(Gate gate, CallCollector collector) {
        this.gate = gate;
        this.collector = collector;
    }

    /**
     * Submits the call of an HTTP request. It is known by the correlation id of the request and part of the request's
     * trace; whether its caller would rather come back later than wait for a person stands in the header {@code Prefer}.
     */
    public Submitted submit(Exchange exchange, CallRequest request) {
        CallRequest sent = request.from(request.context().correlatedBy(exchange.correlationId()))
                .tracedBy(exchange.header("traceparent").orElse(null));
        return gate.submit(
                exchange.principal(), Preferences.respondAsync(exchange) ? sent.held(Call.WhenHeld.RETURN) : sent);
    }

    /**
     * Turns away those who collect nothing, before the call is looked at.
     *
     * @throws HttpFailure if their role does not collect outcomes
     */
    public static void requireCollector(Principal principal) {
        if (!CallCollector.mayCollect(principal)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role '" + principal.role().wireName() + "' may not collect the outcomes of calls.");
        }
    }

    /**
     * The outcome of a call, or 202 while there is none yet.
     *
     * @param wanted whose call; {@code null} if any agent's that has one under this id
     * @param encode how the door writes what became of the call
     * @throws HttpFailure if there is no such call for this principal, or its outcome is not kept
     */
    public Response collect(
            Principal principal,
            RequestId request,
            @Nullable AgentId wanted,
            BiFunction<Call, Answer, Response> encode) {
        requireCollector(principal);
        return switch (collector.collect(principal, request, wanted)) {
            case CallCollector.Found.Ended ended -> encode.apply(ended.call(), ended.answer());
            case CallCollector.Found.Held held -> PendingAnswer.stillHeld(held.held());
            case CallCollector.Found.Running running -> PendingAnswer.running(request);
            case CallCollector.Found.Forgotten forgotten ->
                throw HttpFailure.notFound("The call '" + request
                        + "' has ended and its outcome is not kept; its record is in the audit log.");
            case CallCollector.Found.Nothing nothing ->
                throw HttpFailure.notFound("There is no call '" + request + "'.");
            case CallCollector.Found.Several several ->
                throw HttpFailure.conflict("Several agents have a call '" + request
                        + "'; say which one you mean with the query parameter 'agent_id'.");
        };
    }

    /**
     * Turns away those who ask about an agent that they may not act as, where nothing is called and nothing recorded.
     *
     * @throws HttpFailure if they may not
     */
    public static void requireActing(Principal principal, AgentId agent) {
        Callers.objection(principal, agent).map(HttpCalls::failure).ifPresent(notYours -> {
            throw notYours;
        });
    }

    private static HttpFailure failure(Failure why) {
        return HttpFailure.of(why.code(), why.message());
    }
}
