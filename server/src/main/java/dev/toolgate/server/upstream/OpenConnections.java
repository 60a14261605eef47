package dev.toolgate.server.upstream;

import dev.toolgate.mcp.client.transport.McpFailure;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Open connections, one for each subject with an account. Those unused for too long are ended by a thread that runs
 * while there are any, and beyond a maximum the least recently used; never one that a call uses.
 *
 * @param <C> a connection
 */
final class OpenConnections<C> {
    /** Opens a connection. */
    @FunctionalInterface
    interface Opener<C> {
        C open() throws McpFailure;
    }

    private static final class Entry<C> {
        private final String subject;
        private final UUID account;
        private final C connection;
        private int calls;
        private long usedNanos;

        Entry(String subject, UUID account, C connection) {
            this.subject = subject;
            this.account = account;
            this.connection = connection;
        }
    }

    private final int max;
    private final long maxIdleNanos;
    private final LongSupplier nanoTime;
    private final Consumer<C> end;
    /** By subject, the least recently used first. */
    private final Map<String, Entry<C>> entries = new LinkedHashMap<>();
    /** By call in progress. */
    private final IdentityHashMap<Object, Entry<C>> used = new IdentityHashMap<>();

    /** Ends those that are unused for too long; null while there are none. */
    private @Nullable Thread idleCheck;

    private boolean closed;

    /**
     * @param max how many are kept open, unless more are in use
     * @param end ends a connection that is no longer needed; must return at once
     */
    OpenConnections(int max, Duration maxIdle, LongSupplier nanoTime, Consumer<C> end) {
        this.max = max;
        this.maxIdleNanos = maxIdle.toNanos();
        this.nanoTime = nanoTime;
        this.end = end;
    }

    /** The connection of an account, opened if needed; an earlier one of the subject's former account is ended. */
    synchronized C get(String subject, UUID account, Opener<C> opener) throws McpFailure {
        Entry<C> entry = beginUse(subject, account, opener);
        endUse(entry);
        return entry.connection;
    }

    /** The same for a call, which must be released afterwards. */
    synchronized C take(Object call, String subject, UUID account, Opener<C> opener) throws McpFailure {
        release(call);
        Entry<C> entry = beginUse(subject, account, opener);
        used.put(call, entry);
        return entry.connection;
    }

    /** Says that a call has ended. */
    synchronized void release(Object call) {
        Entry<C> entry = used.remove(call);
        if (entry != null) {
            endUse(entry);
            endUnused();
        }
    }

    /** The subject whose connection a call uses; empty if it uses none. */
    synchronized Optional<String> subject(Object call) {
        return Optional.ofNullable(used.get(call)).map(entry -> entry.subject);
    }

    private Entry<C> beginUse(String subject, UUID account, Opener<C> opener) throws McpFailure {
        if (closed) {
            throw UpstreamRegistry.removed();
        }
        Entry<C> last = entries.get(subject);
        if (last != null && !last.account.equals(account)) {
            forget(subject);
            last = null;
        }
        Entry<C> entry = last == null ? new Entry<>(subject, account, opener.open()) : last;
        entries.put(subject, entry);
        entry.calls++;
        endUnused();
        if (idleCheck == null) {
            idleCheck = Thread.ofVirtual().name("toolgate-mcp-idle").start(this::endIdle);
        }
        return entry;
    }

    private synchronized void endIdle() {
        try {
            while (!entries.isEmpty()) {
                TimeUnit.NANOSECONDS.timedWait(this, nanosToNextEnd());
                endUnused();
            }
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt(); // nothing else knows this thread
        } finally {
            idleCheck = null;
        }
    }

    // Connections in use cannot end within the idle time from now.
    private long nanosToNextEnd() {
        return entries.values().stream()
                .filter(entry -> entry.calls == 0)
                .findFirst()
                .map(eldest -> Math.max(1, eldest.usedNanos + maxIdleNanos - nanoTime.getAsLong()))
                .orElse(maxIdleNanos);
    }

    // The order of the map is that of the last use.
    private void endUse(Entry<C> entry) {
        entry.calls--;
        entry.usedNanos = nanoTime.getAsLong();
        if (entries.remove(entry.subject, entry)) {
            entries.put(entry.subject, entry);
        }
    }

    private void endUnused() {
        long now = nanoTime.getAsLong();
        for (Iterator<Entry<C>> eldest = entries.values().iterator(); eldest.hasNext(); ) {
            Entry<C> each = eldest.next();
            if (each.calls > 0) {
                continue;
            }
            if (entries.size() <= max && now - each.usedNanos < maxIdleNanos) {
                return;
            }
            eldest.remove();
            end.accept(each.connection);
        }
    }

    /** Ends the connection of a subject whose account is no longer connected, also while calls use it. */
    synchronized void forget(String subject) {
        Entry<C> gone = entries.remove(subject);
        if (gone != null) {
            end.accept(gone.connection);
        }
    }

    /** Opens none from now on; returns those that are open, which the caller ends. */
    synchronized List<C> close() {
        closed = true;
        List<C> open = entries.values().stream().map(entry -> entry.connection).toList();
        entries.clear();
        notifyAll(); // ends the check
        return open;
    }
}
