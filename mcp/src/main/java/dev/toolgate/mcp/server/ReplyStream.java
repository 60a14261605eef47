package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.io.IOException;

/** Sends messages to the client while its request is running. */
public interface ReplyStream {

    /** Whether messages can be sent before the response. */
    boolean isAvailable();

    /**
     * Sends a message before the response.
     *
     * @throws IOException if the client is disconnected or does not read
     */
    void send(RpcMessage message) throws IOException;
}
