package dev.toolgate.mcp.client;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools of a server.
 *
 * @param tools their definitions exactly as the server sent them, in its order
 * @param leftOut what cannot be used and why
 */
public record ToolList(List<ObjectNode> tools, List<LeftOut> leftOut) {
    /**
     * A tool that is not offered.
     *
     * @param name as far as it has one
     */
    public record LeftOut(String name, String reason) {}
}
