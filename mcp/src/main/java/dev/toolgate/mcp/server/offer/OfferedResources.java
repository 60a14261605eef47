package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.jsonrpc.RpcException;
import org.jspecify.annotations.Nullable;

/** The resources of a server. */
public interface OfferedResources {

    /** The resources that the caller may see. */
    ListPage list(RequestContext context, @Nullable String cursor) throws InterruptedException;

    /** The templates of resources that the caller may see. */
    ListPage templates(RequestContext context, @Nullable String cursor) throws InterruptedException;

    /**
     * Reads a resource.
     *
     * @throws RpcException with {@code RESOURCE_NOT_FOUND}, in every revision, if the caller may see no such resource
     */
    CallOutcome read(RequestContext context, String uri, InputAnswers answers) throws InterruptedException;

    /** Whether the caller may subscribe to a resource. */
    boolean maySubscribe(RequestContext context, String uri) throws InterruptedException;
}
