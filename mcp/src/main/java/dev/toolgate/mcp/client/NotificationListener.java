package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.McpFailure;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Hears what a server says by itself: changed lists and resources, log messages, the state of tasks. */
@FunctionalInterface
public interface NotificationListener {
    /** Ignores everything. */
    NotificationListener NONE = (method, params) -> {};

    /** One notification at a time; a list that changes again before this has been told is told once. */
    void notified(String method, @Nullable ObjectNode params);

    /** The stream of notifications broke and is open again; something may have changed unnoticed meanwhile. */
    default void resumed() {}

    /** The connection has ended by itself; every later call fails. */
    default void disconnected(McpFailure why) {}
}
