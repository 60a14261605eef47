package dev.toolgate.runtime.upstream;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.transport.McpFailure;
import tools.jackson.databind.node.ObjectNode;

/** Calls of tools whatever their definitions are. */
final class UncheckedCalls {
    private UncheckedCalls() {}

    static ObjectNode call(Upstream upstream, String tool) throws McpFailure {
        return call(upstream, tool, Json.MAPPER.createObjectNode());
    }

    static ObjectNode call(Upstream upstream, String tool, ObjectNode arguments) throws McpFailure {
        try {
            return upstream.callTool(tool, arguments, CallOptions.DEFAULT, () -> {});
        } catch (ToolFailure impossible) {
            throw new AssertionError("There is no check.", impossible);
        }
    }
}
