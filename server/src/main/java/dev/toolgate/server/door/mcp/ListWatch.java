package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.ServerChange;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.version.VersionTable;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Notifies subscribed clients when a list of their agent has changed, because of a changed permission, tool or server
 * behind the gate, at any instance. A client gets no notification of a change that does not affect its lists. The lists
 * of a caller are computed once, even if it has several connections.
 */
final class ListWatch implements DatabaseListener.Watcher {
    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final int MAX_REMEMBERED = 60_000;
    private static final Duration DEBOUNCE = Duration.ofMillis(100);

    /** The lists whose changes clients are notified of. */
    enum Kind {
        TOOLS,
        PROMPTS,
        RESOURCES;

        private ServerChange change() {
            return switch (this) {
                case TOOLS -> new ServerChange.ToolsChanged();
                case PROMPTS -> new ServerChange.PromptsChanged();
                case RESOURCES -> new ServerChange.ResourcesChanged();
            };
        }

        boolean isSeenBy(McpCaller caller) {
            return this != TOOLS || caller.listing() == ToolListMode.ALL; // the search tools never change
        }
    }

    /**
     * An entry of a list.
     *
     * @param definition a hash of the definition
     */
    record Listed(String name, int definition) {}

    /** The current list of a caller. */
    @FunctionalInterface
    interface Listing {
        List<Listed> of(McpCaller caller) throws InterruptedException;
    }

    private record Key(String caller, Kind kind) {}

    private final Consumer<TenantId> reread;
    private final Set<TenantId> changed = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean catalogChanged = new AtomicBoolean();
    private final Map<Key, List<Listed>> lists = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, List<Listed>> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    private volatile @Nullable McpEngine engine;
    private volatile Map<Kind, Listing> listings = Map.of();

    /**
     * @param reread reloads the permissions of a tenant
     */
    ListWatch(Consumer<TenantId> reread) {
        this.reread = reread;
    }

    /** Sets the engine whose clients are notified. */
    void notifyThrough(McpEngine listening, Map<Kind, Listing> allListings) {
        listings = Map.copyOf(allListings);
        engine = listening;
        listening.subscriptions().onOpen(this::opened);
    }

    /** Remembers the list that a caller has seen. */
    void listed(McpCaller caller, Kind kind, List<Listed> list) {
        remember(new Key(caller.key(), kind), list);
    }

    private @Nullable List<Listed> remember(Key key, List<Listed> list) {
        synchronized (lists) {
            return lists.put(key, list);
        }
    }

    private boolean isRemembered(Key key) {
        synchronized (lists) {
            return lists.containsKey(key);
        }
    }

    // A client that read its lists at another instance is assumed to know the current ones; only later changes are
    // notified.
    private void opened(Object object) {
        if (object instanceof McpCaller caller) {
            listings.forEach((kind, listing) -> {
                Key key = new Key(caller.key(), kind);
                if (kind.isSeenBy(caller) && !isRemembered(key)) {
                    var _ = hasChanged(caller, key, listing);
                }
            });
        }
    }

    @Override
    public String subject() {
        return "changes of lists of tools";
    }

    @Override
    public String channel() {
        return VersionTable.PERMISSIONS.channel();
    }

    @Override
    public Duration interval() {
        return INTERVAL;
    }

    @Override
    public void notified(String tenant) {
        changed.add(new TenantId(tenant));
    }

    @Override
    public void poll(Connection connection) {
        McpEngine listening = engine;
        Set<TenantId> due = Set.copyOf(changed);
        changed.removeAll(due);
        if (!due.isEmpty() && listening != null) {
            // Computing the lists reads the database, which must not block the listening thread.
            Thread.ofVirtual().name("mcp-lists").start(() -> {
                due.forEach(reread);
                publish(listening, due::contains);
            });
        }
    }

    /**
     * Called when the catalogue has changed. Changes in quick succession, such as the tools of a new server, are
     * notified once.
     */
    void catalogChanged() {
        McpEngine listening = engine;
        if (listening == null || !catalogChanged.compareAndSet(false, true)) {
            return;
        }
        Thread.ofVirtual().name("mcp-lists").start(() -> {
            LockSupport.parkNanos(DEBOUNCE.toNanos());
            catalogChanged.set(false);
            publish(listening, _ -> true);
        });
    }

    private void publish(McpEngine listening, Predicate<TenantId> tenants) {
        listings.forEach((kind, listing) -> {
            Map<String, Boolean> changedByCaller = new HashMap<>(); // several connections may belong to one caller
            listening
                    .subscriptions()
                    .publish(
                            kind.change(),
                            object -> object instanceof McpCaller caller
                                    && kind.isSeenBy(caller)
                                    && tenants.test(caller.tenant())
                                    && changedByCaller.computeIfAbsent(
                                            caller.key(), key -> hasChanged(caller, new Key(key, kind), listing)));
        });
    }

    private boolean hasChanged(McpCaller caller, Key key, Listing listing) {
        try {
            List<Listed> now = listing.of(caller);
            return !now.equals(remember(key, now));
        } catch (RpcException | Unavailable unknown) {
            return true; // the client will see when it reads the list
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
