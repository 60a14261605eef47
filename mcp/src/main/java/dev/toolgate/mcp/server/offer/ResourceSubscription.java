package dev.toolgate.mcp.server.offer;

/** A subscription to the changes of a resource, which the stream of one client holds. */
@FunctionalInterface
public interface ResourceSubscription extends AutoCloseable {
    /** Ends it; must not block. */
    @Override
    void close();
}
