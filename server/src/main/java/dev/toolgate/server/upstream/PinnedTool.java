package dev.toolgate.server.upstream;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool of an MCP server with the definition that a person has agreed to. It runs only while the server offers exactly
 * this definition.
 *
 * @param hash of the agreed definition
 */
record PinnedTool(Tool<ObjectNode> tool, LiveServer server, String toolName, String hash) implements Tool<ObjectNode> {
    @Override
    public ToolSpec<ObjectNode> spec() {
        return tool.spec();
    }

    @Override
    public Optional<ObjectNode> listedAs() {
        return tool.listedAs();
    }

    @Override
    public Output call(ObjectNode arguments, ToolContext context) throws ToolFailure, InterruptedException {
        server.requireOffered(toolName, hash);
        return tool.call(arguments, context);
    }

    // The definition is checked only when the tool runs, because it may change after the preview.
    @Override
    public Optional<String> preview(ObjectNode arguments, ToolContext context)
            throws ToolFailure, InterruptedException {
        return tool.preview(arguments, context);
    }
}
