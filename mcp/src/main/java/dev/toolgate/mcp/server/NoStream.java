package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.server.offer.Delivery;
import java.io.IOException;
import java.util.function.Consumer;

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

    @Override
    public void onDelivery(Consumer<Delivery> listener) {
        listener.accept(Delivery.LOST);
    }
}
