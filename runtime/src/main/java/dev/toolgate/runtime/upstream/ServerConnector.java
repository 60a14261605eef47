package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpTransport;

/** Opens connections to one server, one after the other. */
interface ServerConnector extends AutoCloseable {
    /** A new connection; whoever asked closes it. */
    McpTransport open() throws McpFailure;

    /** What the server last said to people, for diagnostics; empty if there is nothing. */
    default String lastWords() {
        return "";
    }

    /** Releases what outlives connections. */
    @Override
    void close();
}
