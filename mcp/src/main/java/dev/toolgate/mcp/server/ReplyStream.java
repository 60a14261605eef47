package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.server.offer.Delivery;
import java.io.IOException;
import java.util.function.Consumer;

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

    /**
     * Sends a message that may be lost, such as progress, before the response; drops it where {@link #send} would wait
     * until the client may get it.
     *
     * @throws IOException if the client is disconnected or does not read
     */
    default void offer(RpcMessage message) throws IOException {
        send(message);
    }

    /** Registers a listener that is called once, when the response was written or is lost. */
    void onDelivery(Consumer<Delivery> listener);
}
