package dev.toolgate.mcp.client.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A pool of idle connections, last in, first out. One that was idle for long is discarded: the server may be closing
 * it, and a request must not be sent twice.
 */
final class IdleConnections {
    private static final int MAX = 256;
    private static final long MAX_IDLE = TimeUnit.SECONDS.toNanos(3);
    private static final long TRUSTED = TimeUnit.MILLISECONDS.toNanos(250);

    private final Map<String, ConcurrentLinkedDeque<PooledConnection>> byOrigin = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean closed;

    /** A connection that is very likely still open; null if there is none. */
    @Nullable
    PooledConnection take(String origin) {
        ConcurrentLinkedDeque<PooledConnection> idle = byOrigin.get(origin);
        if (idle == null) {
            return null;
        }
        long now = System.nanoTime();
        for (PooledConnection next = idle.pollLast(); next != null; next = idle.pollLast()) {
            count.decrementAndGet();
            long waited = next.idleNanos(now);
            if (waited < TRUSTED || (waited < MAX_IDLE && !next.isStale())) {
                return next;
            }
            next.close();
        }
        return null;
    }

    void put(String origin, PooledConnection connection) {
        long now = System.nanoTime();
        ConcurrentLinkedDeque<PooledConnection> idle =
                byOrigin.computeIfAbsent(origin, _ -> new ConcurrentLinkedDeque<>());
        closeOldest(idle, now);
        if (closed || connection.hasUnread() || count.get() >= MAX) {
            connection.close();
            return;
        }
        connection.idle(now);
        count.incrementAndGet();
        idle.addLast(connection);
        if (closed) {
            close();
        }
    }

    private void closeOldest(ConcurrentLinkedDeque<PooledConnection> idle, long now) {
        PooledConnection oldest = idle.peekFirst();
        if (oldest != null && oldest.idleNanos(now) > MAX_IDLE && idle.remove(oldest)) {
            count.decrementAndGet();
            oldest.close();
        }
    }

    /** Closes all connections, and those released later. */
    void close() {
        closed = true;
        for (ConcurrentLinkedDeque<PooledConnection> idle : byOrigin.values()) {
            for (PooledConnection next = idle.pollLast(); next != null; next = idle.pollLast()) {
                count.decrementAndGet();
                next.close();
            }
        }
    }
}
