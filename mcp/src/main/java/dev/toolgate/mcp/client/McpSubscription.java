package dev.toolgate.mcp.client;

/** A subscription to a server's notifications; closing it notifies the server. */
public interface McpSubscription extends AutoCloseable {
    /** Whether notifications are still received. */
    boolean isOpen();

    @Override
    void close();
}
