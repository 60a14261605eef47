package dev.toolgate.server.door.mcp;

import dev.toolgate.http.error.ErrorShape;
import dev.toolgate.http.error.HttpError;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Errors of requests that were rejected before their message was read, as JSON-RPC errors without an id. */
final class McpErrorShape implements ErrorShape {
    private static final int SERVER_ERROR = 500;

    @Override
    public JsonNode error(HttpError error) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
        body.putNull("id");
        ObjectNode inner = body.putObject("error");
        inner.put(
                "code",
                (error.status() < SERVER_ERROR ? RpcErrorCode.INVALID_REQUEST : RpcErrorCode.INTERNAL_ERROR).code());
        inner.put("message", error.message());
        inner.putObject("data")
                .put("code", error.code().name())
                .put("remediation", error.remediation())
                .put("retryable", error.retryable())
                .put("correlationId", error.correlationId());
        return body;
    }
}
