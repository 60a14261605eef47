package dev.toolgate.mcp.client;

/** A stream of notifications that a server was asked for; closing it tells the server. */
public interface McpSubscription extends AutoCloseable {
    /** Whether notifications still come. */
    boolean isOpen();

    @Override
    void close();
}
