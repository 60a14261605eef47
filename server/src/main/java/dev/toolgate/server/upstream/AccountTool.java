package dev.toolgate.server.upstream;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** A tool of a server with user accounts. If the caller's account is gone, the failure says where to connect one. */
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
            // The issuer no longer renews the token: the access was revoked there.
            throw failed.failure().code() == ErrorCode.CREDENTIALS_REFUSED
                            && !connections.isConnected(context.call().caller())
                    ? connections.needed(context.call().caller())
                    : failed;
        }
    }
}
