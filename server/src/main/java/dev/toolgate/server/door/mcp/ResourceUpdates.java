package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.tool.ResourceSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the updates that servers announce for their resources. A server may announce any number: each has one
 * thread at most, and those of a resource that arrive while others are published are published once, after a pause. An
 * update whose listeners cannot be checked is published again later, perhaps twice to some of them.
 */
final class ResourceUpdates {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceUpdates.class);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration PAUSE_IF_UNAVAILABLE = Duration.ofSeconds(2);

    /** Publishes an update; may block. */
    @FunctionalInterface
    interface Publisher {
        /**
         * Publishes an update to the listeners that may read the resource.
         *
         * @throws Unavailable if that could not be checked for all of them
         */
        void publish(TenantId tenant, ResourceSource source, String uri);
    }

    private final Publisher publisher;
    /** Updates that are not published yet, of all sources with a thread. */
    private final Map<OfSource, Set<String>> pending = new HashMap<>(); // guarded by this

    ResourceUpdates(Publisher publisher) {
        this.publisher = publisher;
    }

    /** Publishes the updates of a source for a tenant; equal for all of its clients, so that each is published once. */
    private record OfSource(ResourceUpdates updates, TenantId tenant, ResourceSource source)
            implements Consumer<String> {
        @Override
        public void accept(String uri) {
            updates.add(this, uri);
        }
    }

    /** Takes the updates of a source for a tenant; does not block. */
    Consumer<String> of(TenantId tenant, ResourceSource source) {
        return new OfSource(this, tenant, source);
    }

    private void add(OfSource source, String uri) {
        synchronized (this) {
            Set<String> announced = pending.get(source);
            if (announced != null) {
                announced.add(uri);
                return;
            }
            Set<String> first = new LinkedHashSet<>();
            first.add(uri);
            pending.put(source, first);
        }
        // The permission check reads the database, which must not block the server's connection.
        Thread.ofVirtual().name("mcp-resource-changed").start(() -> publish(source));
    }

    private void publish(OfSource source) {
        for (List<String> next = take(source); !next.isEmpty(); next = take(source)) {
            boolean complete = true;
            for (String uri : next) {
                complete &= publish(source, uri);
            }
            LockSupport.parkNanos((complete ? PAUSE : PAUSE_IF_UNAVAILABLE).toNanos());
        }
    }

    /** Publishes an update; false if it must be published again. */
    private boolean publish(OfSource source, String uri) {
        try {
            publisher.publish(source.tenant(), source.source(), uri);
        } catch (Unavailable undecided) {
            LOG.debug("An update of a resource is published again later: {}", undecided.getMessage());
            add(source, uri);
            return false;
        } catch (RuntimeException unexpected) {
            LOG.error("An update of a resource could not be published", unexpected); // the others still are
        }
        return true;
    }

    /** Takes what is pending of a source; if that is nothing, the next update starts another thread. */
    private synchronized List<String> take(OfSource source) {
        Set<String> announced = pending.remove(source);
        if (announced == null || announced.isEmpty()) {
            return List.of();
        }
        pending.put(source, new LinkedHashSet<>());
        return List.copyOf(announced);
    }
}
