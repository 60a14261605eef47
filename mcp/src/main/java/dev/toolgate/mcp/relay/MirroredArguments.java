package dev.toolgate.mcp.relay;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.HeaderParameters;
import dev.toolgate.mcp.protocol.McpMethods;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which arguments must be mirrored into headers, read from the relayed tool lists: clients on pipes do not know about
 * headers.
 */
final class MirroredArguments {
    private static final int MAX_TOOLS = 10_000;

    private final ConcurrentMap<String, List<HeaderParameters.Parameter>> byTool = new ConcurrentHashMap<>();

    /** Reads the answer to a request, if it is a list of tools. */
    void learn(RpcMessage.Request request, RpcMessage.Response answer) {
        if (request.method().equals(McpMethods.TOOLS_LIST) && answer instanceof RpcMessage.Result listed) {
            listed.result().path("tools").forEach(this::learn);
        }
    }

    private void learn(JsonNode tool) {
        String name = tool.path("name").asString("");
        if (HeaderParameters.of(tool.path("inputSchema")) instanceof HeaderParameters.Valid valid
                && !valid.parameters().isEmpty()
                && byTool.size() < MAX_TOOLS) {
            byTool.put(name, valid.parameters());
        } else {
            byTool.remove(name);
        }
    }

    /** The arguments of this request that must be mirrored. */
    List<HeaderParameters.Parameter> of(String method, @Nullable ObjectNode params) {
        return method.equals(McpMethods.TOOLS_CALL) && params != null
                ? byTool.getOrDefault(params.path("name").asString(""), List.of())
                : List.of();
    }
}
