package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.protocol.HeaderParameters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tools of a server. Whoever implements it decides on list and on call: what is not listed is not called. */
public interface OfferedTools {

    /**
     * The tools that the caller may see.
     *
     * @param cursor where to go on; null for the first page
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
     * Which arguments of a tool must be mirrored in headers; none for a tool that the caller may not see. Asked for
     * before every call over HTTP from 2026-07-28 on, so it must be fast.
     */
    default List<HeaderParameters.Parameter> mirroredArguments(RequestContext context, String tool) {
        return List.of();
    }
}
