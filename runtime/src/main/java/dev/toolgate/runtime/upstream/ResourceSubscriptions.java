package dev.toolgate.runtime.upstream;

import dev.toolgate.core.tool.ResourceSource;
import dev.toolgate.mcp.client.McpSubscription;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resources of a server that somebody is subscribed to. Each is subscribed to at the server once, while anybody is,
 * and again over a new connection, also if that has other settings.
 */
final class ResourceSubscriptions {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceSubscriptions.class);

    private static final int MAX_RESOURCES = 1000;
    private static final BackOff BACK_OFF = new BackOff(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final String server;
    private volatile ReconnectingConnection connection;
    private final Map<String, Resource> resources = new LinkedHashMap<>(); // guarded by this
    private final AtomicInteger subscribed = new AtomicInteger(); // resources that somebody is subscribed to
    private final AtomicInteger renewals = new AtomicInteger(); // one for each connection

    ResourceSubscriptions(String server, ReconnectingConnection connection) {
        this.server = server;
        this.connection = connection;
    }

    /** The outcome of asking a server for a subscription. */
    private enum Asked {
        UNSUPPORTED,
        SUBSCRIBED,
        /** It replaces one that ended, so that a change in between may have been missed. */
        REPLACED
    }

    /** A resource, and its subscription at the server. */
    private final class Resource {
        private final String uri;
        private final Set<Held> held = new HashSet<>(); // guarded by ResourceSubscriptions.this

        /** Held while the server is asked about this resource. */
        private final ReentrantLock asking = new ReentrantLock();

        private @Nullable McpSubscription subscription; // guarded by asking
        private @Nullable ServerConnection subscribedOver; // guarded by asking
        private boolean renewable; // whether it has ever been made; guarded by asking

        Resource(String uri) {
            this.uri = uri;
        }

        /** Subscribes at the server, unless that is done; false if it does not support it. */
        boolean subscribe() throws McpFailure {
            Asked asked;
            asking.lock();
            try {
                asked = ask();
            } finally {
                asking.unlock();
            }
            return wasSubscribed(asked);
        }

        /** Subscribes over a new connection, if somebody has been subscribed over an earlier one. */
        void renew() throws McpFailure {
            Asked asked;
            asking.lock();
            try {
                if (!renewable || !isHeld(this)) {
                    return;
                }
                asked = ask();
            } finally {
                asking.unlock();
            }
            boolean _ = wasSubscribed(asked);
        }

        private Asked ask() throws McpFailure {
            boolean hadOne = renewable;
            McpSubscription before = subscription;
            if (!connection.use(this::subscribe)) {
                return Asked.UNSUPPORTED;
            }
            return hadOne && !Objects.equals(before, subscription) ? Asked.REPLACED : Asked.SUBSCRIBED;
        }

        /** Notifies those who were subscribed before, without the lock. */
        private boolean wasSubscribed(Asked asked) {
            return switch (asked) {
                case UNSUPPORTED -> false;
                case SUBSCRIBED -> true;
                case REPLACED -> {
                    updated(uri);
                    yield true;
                }
            };
        }

        private boolean subscribe(ServerConnection open) throws McpFailure {
            McpSubscription known = subscription;
            if (known != null && known.isOpen() && open.equals(subscribedOver)) {
                return true;
            }
            subscription = null; // the old one ends with its connection
            subscription = open.subscribe(uri);
            subscribedOver = open;
            renewable |= subscription != null;
            return subscription != null;
        }

        /** Unsubscribes at the server, unless somebody has subscribed in the meantime. */
        void unsubscribe() {
            asking.lock();
            try {
                if (!isHeld(this)) {
                    McpSubscription unneeded = subscription;
                    subscription = null;
                    renewable = false;
                    if (unneeded != null) {
                        unneeded.close();
                    }
                    forget(this);
                }
            } finally {
                asking.unlock();
            }
        }
    }

    /** A subscription of somebody. */
    private final class Held implements ResourceSource.Subscription {
        private final Resource resource;
        private final Consumer<String> changed;

        Held(Resource resource, Consumer<String> changed) {
            this.resource = resource;
            this.changed = changed;
        }

        @Override
        public void close() {
            if (isLast(this)) {
                Thread.ofVirtual().name("toolgate-mcp-unsubscribe").start(() -> {
                    resource.unsubscribe();
                    connection.reconsiderIdle();
                });
            }
        }
    }

    /** Subscribes to a resource; null if the server does not support it, or there are too many. */
    ResourceSource.@Nullable Subscription subscribe(String uri, Consumer<String> changed) {
        Held held = hold(uri, changed);
        if (held == null) {
            LOG.warn("MCP server '{}': more than {} resources are subscribed to", server, MAX_RESOURCES);
            return null;
        }
        boolean done = false;
        try {
            done = held.resource.subscribe();
        } catch (McpFailure failed) {
            LOG.debug("MCP server '{}': subscribing to a resource failed: {}", server, failed.getMessage());
        } finally {
            if (!done) {
                held.close();
            }
        }
        return done ? held : null;
    }

    private synchronized @Nullable Held hold(String uri, Consumer<String> changed) {
        Resource known = resources.get(uri);
        if (known == null || known.held.isEmpty()) {
            if (subscribed.get() >= MAX_RESOURCES) {
                return null;
            }
            subscribed.incrementAndGet();
        }
        Resource resource = known == null ? new Resource(uri) : known;
        resources.put(uri, resource);
        Held held = new Held(resource, changed);
        resource.held.add(held);
        return held;
    }

    /** Removes a subscription; true if it was the last of its resource. */
    private synchronized boolean isLast(Held ended) {
        boolean last = ended.resource.held.remove(ended) && ended.resource.held.isEmpty();
        if (last) {
            subscribed.decrementAndGet();
        }
        return last;
    }

    private synchronized boolean isHeld(Resource resource) {
        return !resource.held.isEmpty();
    }

    private synchronized void forget(Resource resource) {
        if (resource.held.isEmpty()) {
            resources.remove(resource.uri, resource);
        }
    }

    boolean isEmpty() {
        return subscribed.get() == 0;
    }

    /** Continues over the connection that replaces the present one. */
    void moveTo(ReconnectingConnection successor) {
        connection = successor;
        renew();
    }

    /** Subscribes again at a server with a new connection; what fails is repeated until there is another one. */
    void renew() {
        int renewal = renewals.incrementAndGet();
        if (isEmpty()) {
            return;
        }
        // Not on the thread that connects: a server that refuses a resource must not prevent a connection.
        Thread.ofVirtual().name("toolgate-mcp-resubscribe").start(() -> renewAll(renewal));
    }

    private void renewAll(int renewal) {
        List<Resource> left = failed(all());
        for (int failures = 2; !left.isEmpty() && isCurrent(renewal); failures++) {
            LOG.warn("MCP server '{}': subscribing again failed for {} resources", server, left.size());
            LockSupport.parkNanos(BACK_OFF.after(failures).toNanos());
            if (isCurrent(renewal)) {
                left = failed(left);
            }
        }
    }

    // A lost connection is followed by another one, with a renewal of its own.
    private boolean isCurrent(int renewal) {
        return renewal == renewals.get() && connection.state() instanceof UpstreamState.Connected;
    }

    /** Renews subscriptions, and returns those for which that is to be repeated. */
    private List<Resource> failed(Collection<Resource> renewed) {
        List<Resource> failed = new ArrayList<>();
        for (Resource resource : renewed) {
            try {
                resource.renew();
            } catch (McpFailure why) {
                LOG.debug("MCP server '{}': subscribing again failed: {}", server, why.getMessage());
                if (why.kind() != McpFailureKind.SERVER_ERROR) { // which is the server's answer
                    failed.add(resource);
                }
            }
        }
        return failed;
    }

    private synchronized Collection<Resource> all() {
        return List.copyOf(resources.values());
    }

    /** Notifies those who are subscribed to a resource. */
    void updated(String uri) {
        List<Consumer<String>> notified;
        synchronized (this) {
            Resource resource = resources.get(uri);
            notified = resource == null
                    ? List.of()
                    : resource.held.stream()
                            .map(held -> held.changed)
                            .distinct()
                            .toList();
        }
        notified.forEach(changed -> changed.accept(uri));
    }
}
