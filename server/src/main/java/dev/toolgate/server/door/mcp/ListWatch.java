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
 * Tells clients that listen when a list of their own agent has become another, whoever changed a permission, a tool or
 * what a server behind the gate offers, and at whichever instance. A change that does not touch a client's list is not
 * mentioned to it. What a caller sees is found out once, however many connections it has.
 */
final class ListWatch implements DatabaseListener.Watcher {
    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final int MAX_REMEMBERED = 60_000;
    private static final Duration BURST = Duration.ofMillis(100);

    /** The lists that clients hear of. */
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
            return this != TOOLS || caller.listing() == ToolListMode.ALL; // the other list of tools never changes
        }
    }

    /**
     * An entry of a list.
     *
     * @param definition tells entries of the same name apart
     */
    record Listed(String name, int definition) {}

    /** What a caller sees now. */
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
     * @param reread has the permissions of a tenant read anew
     */
    ListWatch(Consumer<TenantId> reread) {
        this.reread = reread;
    }

    /** From now on clients of this engine are told. */
    void tell(McpEngine listening, Map<Kind, Listing> allListings) {
        listings = Map.copyOf(allListings);
        engine = listening;
        listening.subscriptions().onOpen(this::opened);
    }

    /** A caller has seen this list. */
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

    // What a client has seen at another instance is what it sees now: the next change is told, and nothing else is.
    private void opened(Object object) {
        if (object instanceof McpCaller caller) {
            listings.forEach((kind, listing) -> {
                Key key = new Key(caller.key(), kind);
                if (kind.isSeenBy(caller) && !isRemembered(key)) {
                    var _ = hasOtherList(caller, key, listing);
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
    public void look(Connection connection) {
        McpEngine listening = engine;
        Set<TenantId> due = Set.copyOf(changed);
        changed.removeAll(due);
        if (!due.isEmpty() && listening != null) {
            // What to tell is found out by asking the database, which the listening thread must not wait for.
            Thread.ofVirtual().name("mcp-lists").start(() -> {
                due.forEach(reread);
                publish(listening, due::contains);
            });
        }
    }

    /** Something came, went or changed. A server's tools come one after the other, which clients are told of once. */
    void catalogChanged() {
        McpEngine listening = engine;
        if (listening == null || !catalogChanged.compareAndSet(false, true)) {
            return;
        }
        Thread.ofVirtual().name("mcp-lists").start(() -> {
            LockSupport.parkNanos(BURST.toNanos());
            catalogChanged.set(false);
            publish(listening, _ -> true);
        });
    }

    private void publish(McpEngine listening, Predicate<TenantId> tenants) {
        listings.forEach((kind, listing) -> {
            Map<String, Boolean> isOther = new HashMap<>(); // several clients may be the same caller
            listening
                    .subscriptions()
                    .publish(
                            kind.change(),
                            object -> object instanceof McpCaller caller
                                    && kind.isSeenBy(caller)
                                    && tenants.test(caller.tenant())
                                    && isOther.computeIfAbsent(
                                            caller.key(), key -> hasOtherList(caller, new Key(key, kind), listing)));
        });
    }

    private boolean hasOtherList(McpCaller caller, Key key, Listing listing) {
        try {
            List<Listed> now = listing.of(caller);
            return !now.equals(remember(key, now));
        } catch (RpcException | Unavailable unknown) {
            return true; // the client finds out when it asks
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
