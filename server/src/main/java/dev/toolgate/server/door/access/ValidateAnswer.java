package dev.toolgate.server.door.access;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.DryRunResult;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Response;
import tools.jackson.databind.node.ObjectNode;

/** Encodes what the gate would decide; always 200, because the validation itself succeeded. */
final class ValidateAnswer {
    private final Denial denial;

    ValidateAnswer(Grants grants, GrantAdvice advice) {
        this.denial = new Denial(grants, advice);
    }

    Response encode(ValidateRequest request, TenantId tenant, DryRunResult result) {
        Failure obstacle = result.obstacle();
        // Without parameters only the permission is checked.
        if (obstacle != null && !(request.parameters() == null && obstacle.code() == ErrorCode.INVALID_REQUEST)) {
            return denied(request, tenant, obstacle);
        }
        return switch (result.decision()) {
            case Decision.Allow allow -> Response.json(allowed(request));
            case Decision.NeedsApproval needed ->
                Response.json(allowed(request).put("requires_approval", true).put("reason", needed.reason()));
            case Decision.Deny deny -> denied(request, tenant, Failure.of(deny.code(), deny.reason()));
        };
    }

    private Response denied(ValidateRequest request, TenantId tenant, Failure why) {
        if (why.code() == ErrorCode.SERVICE_UNAVAILABLE) {
            throw HttpFailure.unavailable(why.message());
        }
        return Response.json(denial.of(tenant, request.agentId(), request.toolName(), request.requestId(), why)
                .put("logged", false));
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
