package dev.toolgate.mcp.client;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools of a server.
 *
 * @param tools their definitions exactly as the server sent them, in its order
 * @param invalid the tools that cannot be used, and why
 */
public record ToolList(List<ObjectNode> tools, List<InvalidTool> invalid) {
    /**
     * A tool that is not offered.
     *
     * @param name empty if it has none
     */
    public record InvalidTool(String name, String reason) {}
}
