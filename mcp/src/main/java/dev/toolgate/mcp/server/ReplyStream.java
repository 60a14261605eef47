package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.io.IOException;

/** The way to the client while its request is carried out. */
public interface ReplyStream {

    /** Whether messages can be sent before the response. */
    boolean isAvailable();

    /**
     * Sends a message before the response.
     *
     * @throws IOException if the client is gone or takes nothing
     */
    void send(RpcMessage message) throws IOException;
}
