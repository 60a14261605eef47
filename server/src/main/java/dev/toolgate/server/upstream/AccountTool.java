package dev.toolgate.server.upstream;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** A tool of a server with user accounts. A failure for want of access says where to connect an account. */
record AccountTool(Tool<ObjectNode> tool, AccountConnections connections) implements Tool<ObjectNode> {
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
        try {
            return tool.call(arguments, context);
        } catch (ToolFailure failed) {
            throw failed.failure().code() == ErrorCode.CREDENTIALS_REFUSED
                    ? connections.refused(context, failed.failure())
                    : failed;
        } finally {
            connections.release(context);
        }
    }
}
