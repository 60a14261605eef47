package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpTransport;

/** Opens connections to one server, one after the other. */
interface ServerConnector extends AutoCloseable {
    /** A new connection; the caller closes it. */
    McpTransport open() throws McpFailure;

    /** Releases the resources that outlive connections. */
    @Override
    void close();
}
