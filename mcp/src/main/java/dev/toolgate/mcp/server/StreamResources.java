package dev.toolgate.mcp.server;

import dev.toolgate.mcp.server.offer.ResourceSubscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resources that the client of one stream is subscribed to; the subscriptions are closed with the stream. */
final class StreamResources implements AutoCloseable {
    private final Map<String, ResourceSubscription> held = new HashMap<>(); // guarded by this
    private boolean closed; // guarded by this
    private boolean updating; // guarded by this

    /** Holds a subscription instead of an earlier one of the resource; closes it if the stream has ended. */
    void hold(String uri, ResourceSubscription subscription) {
        ResourceSubscription unneeded;
        synchronized (this) {
            unneeded = closed ? subscription : held.put(uri, subscription);
        }
        if (unneeded != null) {
            unneeded.close();
        }
    }

    void release(String uri) {
        @Nullable ResourceSubscription released;
        synchronized (this) {
            released = held.remove(uri);
        }
        if (released != null) {
            released.close();
        }
    }

    /** Releases a resource, unless it has been subscribed to again. */
    void release(String uri, ResourceSubscription subscription) {
        synchronized (this) {
            if (!held.remove(uri, subscription)) {
                return;
            }
        }
        subscription.close();
    }

    synchronized Map<String, ResourceSubscription> held() {
        return Map.copyOf(held);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Reserves the update for the calling thread; false while another thread updates. */
    synchronized boolean beginUpdate() {
        boolean free = !updating && !closed;
        updating |= free;
        return free;
    }

    synchronized void endUpdate() {
        updating = false;
    }

    /** Moves everything to a stream that replaces this one. */
    void moveTo(StreamResources other) {
        Map<String, ResourceSubscription> moved;
        synchronized (this) {
            moved = Map.copyOf(held);
            held.clear();
            closed = true;
        }
        moved.forEach(other::hold);
    }

    @Override
    public void close() {
        List<ResourceSubscription> unneeded;
        synchronized (this) {
            closed = true;
            unneeded = List.copyOf(held.values());
            held.clear();
        }
        unneeded.forEach(ResourceSubscription::close);
    }
}
