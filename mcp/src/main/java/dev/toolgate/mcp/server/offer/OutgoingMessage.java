package dev.toolgate.mcp.server.offer;

import java.util.function.Consumer;

/** A message that will be sent to a client: the response to its request, or a notification. */
@FunctionalInterface
public interface OutgoingMessage {
    /** Registers a listener that is called exactly once, when the message was written or is lost. */
    void onDelivery(Consumer<Delivery> listener);
}
