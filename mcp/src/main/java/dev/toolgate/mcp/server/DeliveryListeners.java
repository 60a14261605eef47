package dev.toolgate.mcp.server;

import dev.toolgate.mcp.server.offer.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The listeners for the delivery of one message. Each is called exactly once. */
public final class DeliveryListeners {
    private final List<Consumer<Delivery>> waiting = new ArrayList<>(); // guarded by this
    private boolean over; // guarded by this

    /** Adds a listener. One that is added after the message has nothing that could have been delivered. */
    public void add(Consumer<Delivery> listener) {
        synchronized (this) {
            if (!over) {
                waiting.add(listener);
                return;
            }
        }
        listener.accept(Delivery.LOST);
    }

    /** Whether nobody needs to know. */
    public synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The message was written or is lost. */
    public void end(Delivery delivery) {
        List<Consumer<Delivery>> notified;
        synchronized (this) {
            over = true;
            notified = List.copyOf(waiting);
            waiting.clear();
        }
        notified.forEach(listener -> listener.accept(delivery));
    }
}
