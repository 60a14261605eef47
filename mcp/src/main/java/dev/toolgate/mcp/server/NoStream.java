package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.io.IOException;

/** The stream of a request that cannot send messages before its response. */
enum NoStream implements ReplyStream {
    INSTANCE;

    @Override
    public boolean isAvailable() {
        return false;
    }

    @Override
    public void send(RpcMessage message) throws IOException {
        throw new IOException("The request has no stream.");
    }
}
