package dev.toolgate.server.door.frontend;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.ErrorShape;
import dev.toolgate.http.error.HttpError;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The error format of web front ends: the correlation id is beside the error object. */
final class ToolBackendErrors implements ErrorShape {
    @Override
    public JsonNode error(HttpError error) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        ObjectNode inner = body.putObject("error");
        inner.put("code", code(error.code()));
        inner.put("message", error.message());
        inner.put("retryable", error.retryable());
        inner.put("remediation", error.remediation());
        if (!error.details().isEmpty()) {
            inner.set("details", error.details());
        }
        return body.put("correlationId", error.correlationId());
    }

    private static String code(ErrorCode code) {
        return code == ErrorCode.INVALID_REQUEST ? "INVALID_ARGUMENT" : code.name();
    }
}
