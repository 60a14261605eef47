package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.jsonrpc.RpcException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The prompts of a server. */
public interface OfferedPrompts {

    /** The prompts that the caller may see. */
    ListPage list(RequestContext context, @Nullable String cursor) throws InterruptedException;

    /**
     * Gets a prompt.
     *
     * @param arguments an empty object if none were sent
     * @throws RpcException with {@code INVALID_PARAMS} if the caller may see no such prompt
     */
    CallOutcome get(RequestContext context, String name, ObjectNode arguments, InputAnswers answers)
            throws InterruptedException;
}
