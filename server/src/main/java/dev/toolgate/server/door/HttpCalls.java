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

/** Submits calls of HTTP requests to the gate and collects their outcomes; shared by all HTTP doors. */
public final class HttpCalls {
    private final Gate gate;
    private final CallCollector collector;

    public HttpCalls(Gate gate, CallCollector collector) {
        this.gate = gate;
        this.collector = collector;
    }

    /**
     * Submits the call of an HTTP request, with its correlation id and trace. The header {@code Prefer} says whether
     * the caller waits for an approval or collects the outcome later.
     */
    public Submitted submit(Exchange exchange, CallRequest request) {
        CallRequest sent = request.from(request.context().correlatedBy(exchange.correlationId()))
                .tracedBy(exchange.header("traceparent").orElse(null));
        return gate.submit(
                exchange.principal(), Preferences.respondAsync(exchange) ? sent.held(Call.WhenHeld.RETURN) : sent);
    }

    /**
     * Refuses roles that never collect outcomes, before the call is looked up.
     *
     * @throws HttpFailure if the role may not collect outcomes
     */
    public static void requireCollector(Principal principal) {
        if (!CallCollector.mayCollect(principal)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role '" + principal.role().wireName() + "' may not collect the outcomes of calls.");
        }
    }

    /**
     * The outcome of a call, or 202 while it has none.
     *
     * @param wanted the agent whose call it is; {@code null} for any agent
     * @param encode how the door encodes the outcome
     * @throws HttpFailure if the principal has no such call, or its outcome is no longer kept
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
            case CallCollector.Found.Permitted permitted -> PendingAnswer.permitted(request, permitted.until());
            case CallCollector.Found.Running running -> PendingAnswer.running(request);
            case CallCollector.Found.Forgotten forgotten ->
                throw HttpFailure.notFound("The call '" + request
                        + "' has ended and its outcome is no longer kept; see its record in the audit log.");
            case CallCollector.Found.Nothing nothing ->
                throw HttpFailure.notFound("There is no call '" + request + "'.");
            case CallCollector.Found.Several several ->
                throw HttpFailure.conflict("Several agents have a call '" + request
                        + "'; choose one with the query parameter 'agent_id'.");
        };
    }

    /**
     * Refuses a principal that may not act as an agent, for requests that make no call and are not recorded.
     *
     * @throws HttpFailure if the principal may not
     */
    public static void requireActing(Principal principal, AgentId agent) {
        Callers.objection(principal, agent).map(HttpCalls::failure).ifPresent(denied -> {
            throw denied;
        });
    }

    private static HttpFailure failure(Failure why) {
        return HttpFailure.of(why.code(), why.message());
    }
}
