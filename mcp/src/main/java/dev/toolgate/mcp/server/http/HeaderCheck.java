package dev.toolgate.mcp.server.http;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.HeaderParameters;
import dev.toolgate.mcp.protocol.McpHeaders;
import dev.toolgate.mcp.protocol.McpMethods;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares headers with the parts of the body that they repeat, from 2026-07-28 on. A proxy may have made decisions by
 * the headers, so a request whose headers differ from its body is refused.
 */
final class HeaderCheck {
    private final HttpInput input;

    HeaderCheck(HttpInput input) {
        this.input = input;
    }

    void version(String version) {
        requireEqual(McpHeaders.PROTOCOL_VERSION, input.header(McpHeaders.PROTOCOL_VERSION), version);
    }

    void method(RpcMessage.Request request) {
        requireEqual(McpHeaders.METHOD, input.header(McpHeaders.METHOD), request.method());
    }

    /** Checks the name of the tool, prompt, resource or task, where the request has one. */
    void name(RpcMessage.Request request) {
        String field = nameField(request.method());
        ObjectNode params = request.params();
        JsonNode name = field == null || params == null ? null : params.get(field);
        if (name != null && name.isString()) {
            requireEqual(McpHeaders.NAME, decoded(McpHeaders.NAME), name.stringValue());
        }
    }

    private static @Nullable String nameField(String method) {
        return switch (method) {
            case McpMethods.TOOLS_CALL, McpMethods.PROMPTS_GET -> "name";
            case McpMethods.RESOURCES_READ -> "uri";
            case McpMethods.TASKS_GET, McpMethods.TASKS_UPDATE, McpMethods.TASKS_CANCEL -> "taskId";
            default -> null;
        };
    }

    /** Checks the headers that mirror arguments. */
    void arguments(List<HeaderParameters.Parameter> mirrored, JsonNode arguments) {
        for (HeaderParameters.Parameter parameter : mirrored) {
            String expected = parameter.value(arguments);
            String sent = decoded(parameter.header());
            if (expected == null ? sent != null : sent == null || !parameter.matches(sent, expected, arguments)) {
                throw mismatch(parameter.header(), sent);
            }
        }
    }

    private @Nullable String decoded(String header) {
        String value = input.header(header);
        if (value == null) {
            return null;
        }
        String decoded = McpHeaders.decode(value);
        if (decoded == null) {
            throw RpcErrorCode.HEADER_MISMATCH.exception(
                    "The header " + header + " contains invalid characters, or is not valid Base64.");
        }
        return decoded;
    }

    private static void requireEqual(String header, @Nullable String sent, String expected) {
        if (!expected.equals(sent)) {
            throw mismatch(header, sent);
        }
    }

    private static RpcException mismatch(String header, @Nullable String sent) {
        return RpcErrorCode.HEADER_MISMATCH.exception(
                sent == null
                        ? "The header " + header + " is missing; it must repeat the value in the body."
                        : "The header " + header + " does not match the body.");
    }
}
