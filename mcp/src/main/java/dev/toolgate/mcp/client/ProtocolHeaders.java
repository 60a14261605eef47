package dev.toolgate.mcp.client;

import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.HeaderParameters;
import dev.toolgate.mcp.protocol.McpHeaders;
import dev.toolgate.mcp.protocol.McpMethods;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The headers that repeat parts of a request, for servers of the modern era; legacy servers get the revision only. */
public final class ProtocolHeaders {
    private ProtocolHeaders() {}

    /** Before a revision is negotiated with a server of the legacy era. */
    static Map<String, String> none() {
        return Map.of();
    }

    /** The headers of a request of an era. */
    public static Map<String, String> of(
            Era era,
            String version,
            String method,
            @Nullable ObjectNode params,
            List<HeaderParameters.Parameter> mirrored) {
        if (era == Era.LEGACY) {
            return Map.of(McpHeaders.PROTOCOL_VERSION, version);
        }
        Map<String, String> headers = new LinkedHashMap<>(8);
        headers.put(McpHeaders.PROTOCOL_VERSION, version);
        headers.put(McpHeaders.METHOD, method);
        String name = name(method, params);
        if (name != null) {
            headers.put(McpHeaders.NAME, McpHeaders.encode(name));
        }
        if (params != null) {
            for (HeaderParameters.Parameter parameter : mirrored) {
                String value = parameter.value(params.path("arguments"));
                if (value != null) {
                    headers.put(parameter.header(), McpHeaders.encode(value));
                }
            }
        }
        return headers;
    }

    private static @Nullable String name(String method, @Nullable ObjectNode params) {
        String field =
                switch (method) {
                    case McpMethods.TOOLS_CALL, McpMethods.PROMPTS_GET -> "name";
                    case McpMethods.RESOURCES_READ -> "uri";
                    case McpMethods.TASKS_GET, McpMethods.TASKS_UPDATE, McpMethods.TASKS_CANCEL -> "taskId";
                    default -> null;
                };
        JsonNode value = field == null || params == null ? null : params.get(field);
        return value != null && value.isString() ? value.stringValue() : null;
    }
}
