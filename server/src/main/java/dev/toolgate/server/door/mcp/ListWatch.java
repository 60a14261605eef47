package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.ServerChange;
import dev.toolgate.mcp.server.Subscription;
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
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Notifies subscribed clients when a list of their agent has changed, because of a changed permission, tool or server
 * behind the gate, at any instance. A client gets no notification of a change that does not affect its lists. The lists
 * of a caller are computed once, even if it has several connections. Changes without a notification of the database,
 * such as a grant that expires, are noticed when the lists are computed again, at regular intervals.
 */
final class ListWatch implements DatabaseListener.Watcher {
    static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(30);
    private static final int MAX_REMEMBERED = 60_000;
    private static final Duration DEBOUNCE = Duration.ofMillis(100);
    /** How long after reading its lists a client may open a stream and still be notified of a change in between. */
    private static final Duration MAX_UNTIL_STREAM = Duration.ofMinutes(5);

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

    /**
     * The list that all open streams of a caller were notified of. It is not replaced by what one of its connections
     * reads, because the others may have read an earlier list.
     *
     * @param otherWasRead whether a connection has read another list since the last notification
     * @param differedAt when the list was another one for the last time, by {@link System#nanoTime()}; null if never
     */
    private record Known(
            List<Listed> list,
            boolean otherWasRead,
            @Nullable Long differedAt) {
        /** Whether a stream may know another list than the current one. */
        boolean isOutdated(List<Listed> now) {
            return otherWasRead || !list.equals(now);
        }
    }

    private final Consumer<TenantId> reread;
    private final Duration interval;
    private final LongSupplier nanoTime;
    private final Set<TenantId> changed = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean catalogChanged = new AtomicBoolean();
    private final Map<Key, Known> lists = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Known> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    private final AtomicBoolean isRecomputing = new AtomicBoolean();
    private volatile @Nullable McpEngine engine;
    private volatile Map<Kind, Listing> listings = Map.of();
    /** When the lists of all callers are computed again; used only by the listener's thread. */
    private long nextRecomputation = System.nanoTime();

    /**
     * @param reread reloads the permissions of a tenant
     * @param interval after which the lists of all callers with an open stream are computed again
     */
    ListWatch(Consumer<TenantId> reread, Duration interval) {
        this(reread, interval, System::nanoTime);
    }

    ListWatch(Consumer<TenantId> reread, Duration interval, LongSupplier nanoTime) {
        this.reread = reread;
        this.interval = interval;
        this.nanoTime = nanoTime;
    }

    /** Sets the engine whose clients are notified. */
    void notifyThrough(McpEngine listening, Map<Kind, Listing> allListings) {
        listings = Map.copyOf(allListings);
        engine = listening;
        listening.subscriptions().onOpen(this::opened);
    }

    /** Remembers the list that a connection of a caller has read. */
    void listed(McpCaller caller, Kind kind, List<Listed> list) {
        synchronized (lists) {
            lists.merge(
                    new Key(caller.key(), kind),
                    new Known(list, false, null),
                    (known, _) ->
                            known.list().equals(list) ? known : new Known(known.list(), true, nanoTime.getAsLong()));
        }
    }

    /** Remembers the current list, and returns what was known before. */
    private @Nullable Known renew(Key key, List<Listed> now) {
        synchronized (lists) {
            Known before = lists.get(key);
            Long differedAt = before == null ? null : before.differedAt();
            if (before != null && !before.list().equals(now)) {
                differedAt = nanoTime.getAsLong();
            }
            lists.put(key, new Known(now, false, differedAt));
            return before;
        }
    }

    /** Whether a connection that has no stream yet may know another list. */
    private boolean hasDiffered(Known known) {
        Long last = known.differedAt();
        return last != null && nanoTime.getAsLong() - last < MAX_UNTIL_STREAM.toNanos();
    }

    /** Which streams of a caller may know another list than the current one, when one of them has just been opened. */
    private enum Outdated {
        NONE,
        NEW,
        ALL
    }

    // The list may have changed after the client read it and before it opened its stream. A client that has read its
    // lists at another instance only is assumed to know the current ones; only later changes are notified.
    private void opened(Subscription stream) {
        McpEngine listening = engine;
        if (listening == null || !(stream.caller() instanceof McpCaller caller)) {
            return;
        }
        listings.forEach((kind, listing) -> {
            if (kind.isSeenBy(caller) && stream.wants(kind.change())) {
                switch (outdated(caller, new Key(caller.key(), kind), listing)) {
                    case NONE -> {}
                    case NEW -> stream.offer(kind.change());
                    case ALL ->
                        listening
                                .subscriptions()
                                .publish(
                                        kind.change(),
                                        other -> other instanceof McpCaller same
                                                && same.key().equals(caller.key()));
                }
            }
        });
    }

    // The streams that were open before know the list that they were notified of: if that is the current one, they
    // must not read it again for every stream that is opened.
    private Outdated outdated(McpCaller caller, Key key, Listing listing) {
        try {
            List<Listed> now = listing.of(caller);
            Known before = renew(key, now);
            if (before == null) {
                return Outdated.NONE;
            }
            if (before.isOutdated(now)) {
                return Outdated.ALL;
            }
            return hasDiffered(before) ? Outdated.NEW : Outdated.NONE;
        } catch (RpcException | Unavailable unknown) {
            return Outdated.NEW; // the client will see when it reads the list
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Outdated.NONE;
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
        return interval;
    }

    @Override
    public void notified(String tenant) {
        changed.add(new TenantId(tenant));
    }

    /** Changes during an outage were not notified. */
    @Override
    public void connected(Connection connection) {
        nextRecomputation = System.nanoTime();
    }

    @Override
    public void poll(Connection connection) {
        McpEngine listening = engine;
        Set<TenantId> due = Set.copyOf(changed);
        changed.removeAll(due);
        if (listening == null) {
            return;
        }
        // Computing the lists reads the database, which must not block the listening thread.
        if (!due.isEmpty()) {
            Thread.ofVirtual().name("mcp-lists").start(() -> {
                due.forEach(reread);
                publish(listening, due::contains);
            });
        }
        if (System.nanoTime() - nextRecomputation >= 0 && isRecomputing.compareAndSet(false, true)) {
            nextRecomputation = System.nanoTime() + interval.toNanos();
            Thread.ofVirtual().name("mcp-lists").start(() -> {
                try {
                    publish(listening, _ -> true);
                } finally {
                    isRecomputing.set(false);
                }
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
            Known before = renew(key, now);
            return before == null || before.isOutdated(now);
        } catch (RpcException | Unavailable unknown) {
            return false; // the list is computed again later
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
