package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.protocol.HeaderParameters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a server. The implementation must apply the same permissions to list and call: a tool that is not listed
 * cannot be called.
 */
public interface OfferedTools {

    /**
     * The tools that the caller may see.
     *
     * @param cursor where to continue; null for the first page
     * @throws RpcException with {@code INVALID_PARAMS} if there is no such cursor
     */
    ListPage list(RequestContext context, @Nullable String cursor) throws InterruptedException;

    /**
     * Calls a tool; blocks until there is an outcome.
     *
     * @throws RpcException with {@code INVALID_PARAMS} if the caller may see no such tool
     */
    CallOutcome call(RequestContext context, ToolInvocation invocation) throws InterruptedException;

    /**
     * Which arguments of a tool must be mirrored in headers; none for a tool that the caller may not see. Called before
     * every call over HTTP from 2026-07-28 on, so it must be fast.
     */
    default List<HeaderParameters.Parameter> mirroredArguments(RequestContext context, String tool) {
        return List.of();
    }
}
