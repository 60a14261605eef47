package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.offer.ResourceSubscription;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The open subscriptions of clients on this instance. */
public final class Subscriptions {
    private final EngineSettings settings;
    private final Set<Subscription> open = ConcurrentHashMap.newKeySet();
    private final ConcurrentMap<String, Subscription> bySession = new ConcurrentHashMap<>();

    private volatile Consumer<Subscription> onOpen = _ -> {};

    Subscriptions(EngineSettings settings) {
        this.settings = settings;
    }

    /** Sets the action that is called with every new stream, before the client gets its first message. */
    public void onOpen(Consumer<Subscription> action) {
        onOpen = action;
    }

    /**
     * Notifies the subscribed clients of some callers of a change.
     *
     * @param callers tested only for callers with a client that subscribed to it
     */
    public void publish(ServerChange change, Predicate<Object> callers) {
        for (Subscription subscription : open) {
            if (subscription.wants(change) && callers.test(subscription.caller())) {
                subscription.offer(change);
            }
        }
    }

    /** Ends the streams of some callers, which are no longer allowed to listen. */
    public void end(Predicate<Object> callers) {
        open.stream()
                .filter(subscription -> callers.test(subscription.caller()))
                .forEach(Subscription::finish);
    }

    /**
     * Opens the stream of a request, starting with its acknowledgement; null if too many are open.
     *
     * @param resources closed with the stream
     */
    @Nullable
    Subscription open(
            Revision revision,
            RpcId id,
            Object caller,
            Predicate<ServerChange> wanted,
            StreamResources resources,
            RpcMessage.Notification acknowledgement) {
        Subscription subscription =
                new Subscription(revision, id, caller, wanted, settings.maxPendingChanges(), resources, open::remove);
        subscription.begin(acknowledgement);
        return add(subscription, settings.maxStreams()) ? subscription : null;
    }

    /**
     * Opens the stream of a session and closes an earlier one, whose connection may be dead; null if too many are open.
     */
    @Nullable
    Subscription openFor(
            PeerSession session, Object caller, Predicate<ServerChange> wanted, StreamResources resources) {
        String id = session.id();
        Subscription subscription = new Subscription(
                session.record().revision(), null, caller, wanted, settings.maxPendingChanges(), resources, closed -> {
                    open.remove(closed);
                    bySession.remove(id, closed);
                });
        int replaced = bySession.containsKey(id) ? 1 : 0; // closed below, so a reconnecting client is not refused
        if (!add(subscription, settings.maxStreams() + replaced)) {
            return null;
        }
        Subscription earlier = bySession.put(id, subscription);
        if (earlier != null) {
            earlier.resources().moveTo(resources);
            earlier.close();
        }
        return subscription;
    }

    /** Hands a resource that a session has subscribed to to its stream; closes it if none is open here. */
    void hold(PeerSession session, String uri, ResourceSubscription resource) {
        Subscription stream = bySession.get(session.id());
        if (stream == null) {
            resource.close();
        } else {
            stream.resources().hold(uri, resource);
        }
    }

    /** Releases a resource that a session has unsubscribed from. */
    void release(PeerSession session, String uri) {
        Subscription stream = bySession.get(session.id());
        if (stream != null) {
            stream.resources().release(uri);
        }
    }

    private boolean add(Subscription subscription, int max) {
        synchronized (this) { // so that concurrent clients together do not exceed the maximum
            if (open.size() >= max) {
                return false;
            }
            open.add(subscription);
        }
        onOpen.accept(subscription);
        return true;
    }

    /** Ends the stream of a session. */
    void endSession(String sessionId) {
        Subscription subscription = bySession.remove(sessionId);
        if (subscription != null) {
            subscription.finish();
        }
    }

    /** Ends all streams gracefully. */
    void finish() {
        open.forEach(Subscription::finish);
    }
}
