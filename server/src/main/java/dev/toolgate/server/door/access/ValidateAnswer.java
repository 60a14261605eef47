package dev.toolgate.server.door.access;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Judgement;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Response;
import tools.jackson.databind.node.ObjectNode;

/** Writes what the gate would say; always 200, since the question was answered. */
final class ValidateAnswer {
    private final Denial denial;

    ValidateAnswer(Grants grants, GrantAdvice advice) {
        this.denial = new Denial(grants, advice);
    }

    Response encode(ValidateRequest request, Call call, Judgement judgement) {
        Failure obstacle = judgement.obstacle();
        // Without parameters the question is only about the permission.
        if (obstacle != null && !(request.parameters() == null && obstacle.code() == ErrorCode.INVALID_REQUEST)) {
            return denied(request, call, obstacle.code(), obstacle.message());
        }
        return switch (judgement.decision()) {
            case Decision.Allow allow -> Response.json(allowed(request));
            case Decision.NeedsApproval needed ->
                Response.json(allowed(request).put("requires_approval", true).put("reason", needed.reason()));
            case Decision.Deny deny -> denied(request, call, deny.code(), deny.reason());
        };
    }

    private Response denied(ValidateRequest request, Call call, ErrorCode code, String reason) {
        if (code == ErrorCode.SERVICE_UNAVAILABLE) {
            throw HttpFailure.unavailable(reason);
        }
        ObjectNode body = denial.of(call, code, reason);
        if (request.requestId() == null) {
            body.remove("request_id");
        } else {
            body.put("request_id", request.requestId().value());
        }
        return Response.json(body.put("logged", false));
    }

    private static ObjectNode allowed(ValidateRequest request) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "allowed");
        if (request.requestId() != null) {
            body.put("request_id", request.requestId().value());
        }
        return body.put("logged", false);
    }
}
