package dev.toolgate.core.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An MCP server whose tools a session may use.
 *
 * @param auth authentication settings of the connection
 * @param allowedTools the tools that may be used; {@code null} means all of them
 */
public record McpServer(
        String name,
        String url,
        @Nullable JsonNode auth,
        @Nullable List<String> allowedTools) {
    public McpServer {
        allowedTools = allowedTools == null ? null : List.copyOf(allowedTools);
    }
}
