package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.McpFailure;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Receives a server's notifications: changed lists and resources, log messages, the state of tasks. */
@FunctionalInterface
public interface NotificationListener {
    /** Ignores everything. */
    NotificationListener NONE = (method, params) -> {};

    /** Called with one notification at a time; several pending changes of the same list are merged into one. */
    void notified(String method, @Nullable ObjectNode params);

    /** The stream of notifications broke and is open again; changes in between may have been missed. */
    default void resumed() {}

    /**
     * The server had lost the session, and a new one was begun: subscriptions to resources are gone, and changes may
     * have been missed.
     */
    default void sessionRestarted() {}

    /** The server has lost the session, so that it refuses every call, and the settings say that no other is begun. */
    default void sessionLost() {}

    /** The connection was lost, or its session and a new one could not be begun; later calls probably fail. */
    default void disconnected(McpFailure why) {}
}
