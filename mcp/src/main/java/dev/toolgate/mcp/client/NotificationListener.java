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

    /** The connection was lost; every later call fails. */
    default void disconnected(McpFailure why) {}
}
