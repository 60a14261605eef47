package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.DryRunResult;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Gate;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/**
 * Route for AuthZEN access evaluations: what the gate would decide about a call. Nothing runs and nothing is recorded; a
 * call that needs an approval is not allowed yet.
 */
public final class EvaluationRoutes {
    private final JsonRecord<EvaluationRequest> evaluationRequest = JsonRecord.of(EvaluationRequest.class);
    private final Gate gate;
    private final int maxBodyBytes;

    /**
     * @param maxBodyBytes the maximum size of a request body
     */
    public EvaluationRoutes(Gate gate, int maxBodyBytes) {
        this.gate = gate;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.post("/access/v1/evaluation", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::evaluate)
                .withMaxBodyBytes(maxBodyBytes)
                .recorded(Recording.NOTHING_TO_RECORD));
    }

    private Response evaluate(Exchange exchange) {
        EvaluationRequest request = exchange.json(evaluationRequest);
        AgentId agent = FailureMapping.inField("subject.id", request::agent);
        CallRequest call = FailureMapping.inField("context.session_id", request::call);
        HttpCalls.requireActing(exchange.principal(), agent);
        return Response.json(answer(request, gate.dryRun(exchange.principal(), call)));
    }

    private static ObjectNode answer(EvaluationRequest request, DryRunResult result) {
        Failure obstacle = result.obstacle();
        // Without arguments only the permission is checked.
        if (obstacle != null && (request.hasArguments() || obstacle.code() != ErrorCode.INVALID_REQUEST)) {
            return denied(obstacle.code(), obstacle.message());
        }
        return switch (result.decision()) {
            case Decision.Allow _ -> Json.MAPPER.createObjectNode().put("decision", true);
            case Decision.NeedsApproval needed -> denied(ErrorCode.APPROVAL_REQUIRED, needed.reason());
            case Decision.Deny deny -> denied(deny.code(), deny.reason());
        };
    }

    private static ObjectNode denied(ErrorCode code, String reason) {
        if (code == ErrorCode.SERVICE_UNAVAILABLE) {
            throw HttpFailure.unavailable(reason);
        }
        ObjectNode body = Json.MAPPER.createObjectNode().put("decision", false);
        body.putObject("context")
                .put("code", code.name().toLowerCase(Locale.ROOT))
                .put("reason", reason);
        return body;
    }
}
