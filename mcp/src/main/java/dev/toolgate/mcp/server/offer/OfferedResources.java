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

    /**
     * Subscribes to the changes of a resource. The subscription is closed when the client no longer needs it or its
     * stream has ended; a client whose stream is opened again is subscribed again.
     *
     * @param caller the caller object that the transport was given
     * @return null if the caller may not subscribe to it
     */
    @Nullable
    ResourceSubscription subscribe(Object caller, String uri) throws InterruptedException;
}
