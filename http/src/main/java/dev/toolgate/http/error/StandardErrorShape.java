package dev.toolgate.http.error;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One object {@code error} with code, message, remediation, retryable, correlation id and any details. */
public final class StandardErrorShape implements ErrorShape {

    @Override
    public JsonNode error(HttpError error) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ObjectNode inner = body.putObject("error")
                .put("code", error.code().name())
                .put("message", error.message())
                .put("remediation", error.remediation())
                .put("retryable", error.retryable())
                .put("correlation_id", error.correlationId());
        if (!error.details().isEmpty()) {
            inner.set("details", error.details());
        }
        return body;
    }
}
