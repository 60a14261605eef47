package dev.toolgate.server.door.mcp;

import dev.toolgate.mcp.server.SessionRecord;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Sessions that were read recently, bounded in age, number and total size: clients decide what is in a session. */
final class SessionCache {
    private static final int STRIPES = 1024;

    private final Limits limits;
    private final LongSupplier nanoTime;
    private final Map<String, Cached> cached = new LinkedHashMap<>(); // the oldest first
    private long totalSize;
    /**
     * Counts removals per stripe of ids. A session that was read before a removal in its stripe is not cached; ids that
     * share a stripe cause an extra read.
     */
    private final long[] removals = new long[STRIPES];

    private record Cached(SessionRecord session, int size, long readAt) {}

    /**
     * The limits of a cache.
     *
     * @param maxTotalSize of the stored forms, in characters; a parsed one may take twenty times as much memory
     */
    record Limits(int maxSessions, long maxTotalSize, Duration maxAge) {}

    /**
     * @param nanoTime the time in nanoseconds, as {@link System#nanoTime()}
     */
    SessionCache(Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /** The number of removals in the stripe of an id, to be asked for before the session is read from the database. */
    synchronized long removalsOf(String id) {
        return removals[stripe(id)];
    }

    private static int stripe(String id) {
        return Math.floorMod(id.hashCode(), STRIPES);
    }

    /**
     * Keeps a session that was just read or stored, unless it was removed from the cache in the meantime: it was changed
     * or ended then, and what was read may be older.
     *
     * @param removalsBefore {@link #removalsOf} before it was read
     */
    synchronized void put(String id, long removalsBefore, SessionRecord session, String stored) {
        if (removalsBefore != removalsOf(id)) {
            return;
        }
        drop(id);
        cached.put(id, new Cached(session, stored.length(), nanoTime.getAsLong()));
        totalSize += stored.length();
        trim();
    }

    synchronized @Nullable SessionRecord get(String id) {
        trim();
        Cached found = cached.get(id);
        return found == null ? null : found.session();
    }

    /** Removes a session that was changed or ended in the database. */
    synchronized void remove(String id) {
        removals[stripe(id)]++;
        drop(id);
    }

    private void drop(String id) {
        Cached removed = cached.remove(id);
        if (removed != null) {
            totalSize -= removed.size();
        }
    }

    private void trim() {
        long now = nanoTime.getAsLong();
        Iterator<Cached> oldest = cached.values().iterator();
        while (oldest.hasNext()) {
            Cached next = oldest.next();
            if (now - next.readAt() < limits.maxAge().toNanos()
                    && cached.size() <= limits.maxSessions()
                    && totalSize <= limits.maxTotalSize()) {
                return;
            }
            oldest.remove();
            totalSize -= next.size();
        }
    }
}
