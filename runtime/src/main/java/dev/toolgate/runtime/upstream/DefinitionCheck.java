package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks that a server still describes a tool as it was agreed to. It is made once the connection is there, whose tools
 * have been listed, and right before the call is sent: the server may have become another one while it was away.
 */
@FunctionalInterface
public interface DefinitionCheck {
    /**
     * Must not block.
     *
     * @throws ToolFailure if the tool must not be called
     */
    void require() throws ToolFailure;

    /** Whether the server lists exactly this definition. */
    static DefinitionCheck isListed(Upstream upstream, String tool, ObjectNode definition) {
        return () -> {
            if (!upstream.definitions().contains(definition)) {
                throw new ToolFailure(
                        ErrorCode.TOOL_NOT_FOUND,
                        "Tool '" + tool
                                + "' has changed at its server, or is no longer offered there; it was not run.");
            }
        };
    }
}
