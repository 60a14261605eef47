package dev.toolgate.mcp.server.stdio;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.server.DeliveryListeners;
import dev.toolgate.mcp.server.EngineReply;
import dev.toolgate.mcp.server.ReplyStream;
import dev.toolgate.mcp.server.offer.Delivery;
import java.io.IOException;
import java.util.function.Consumer;

/** The response to one request over a pipe. */
final class PipeReply implements ReplyStream {
    private final PipeWriter out;
    private final DeliveryListeners deliveryListeners = new DeliveryListeners();

    PipeReply(PipeWriter out) {
        this.out = out;
    }

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public void send(RpcMessage message) throws IOException {
        out.send(message);
    }

    @Override
    public void onDelivery(Consumer<Delivery> listener) {
        deliveryListeners.add(listener);
    }

    /** Writes the response. */
    void finish(EngineReply reply) throws IOException {
        Delivery delivery = Delivery.LOST;
        try {
            delivery = switch (reply) {
                case EngineReply.Success success -> written(success.message());
                case EngineReply.Failed failed -> written(failed.message());
                case EngineReply.None _ -> Delivery.LOST;
            };
        } finally {
            deliveryListeners.end(delivery);
        }
    }

    private Delivery written(byte[] message) throws IOException {
        out.line(message);
        return Delivery.WRITTEN;
    }
}
