package dev.toolgate.store.version;

import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The last known version of one tenant, and when it was queried. */
final class TenantVersion {
    private static final long MAX_AGE = Duration.ofMillis(500).toNanos();
    private static final long TIMEOUT = Duration.ofMillis(1500).toNanos();
    private static final long RETRY_AFTER = Duration.ofMillis(100).toNanos();

    private final String subject;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Seen seen;
    private volatile @Nullable Long failedAt;
    private volatile long changedAt = System.nanoTime();

    /**
     * @param subject what has the version, for messages
     */
    TenantVersion(String subject) {
        this.subject = subject;
    }

    /** Queries the database. */
    interface VersionQuery {
        long ask();
    }

    /**
     * The version, at most half a second old and not older than the last change notification. One
     * caller queries for all; a caller that cannot get it in time gets an error, never an old version.
     */
    long current(VersionQuery query) {
        Seen last = seen;
        return last != null && isFresh(last) ? last.version() : ask(query);
    }

    /** There was a change, so the last known version is outdated. */
    void changed() {
        changedAt = System.nanoTime();
    }

    /**
     * Stores a version that was read from the database.
     *
     * @param askedAt when the query was sent, by {@link System#nanoTime()}
     */
    synchronized void observe(long version, long askedAt) {
        Seen last = seen;
        if (last == null || askedAt - last.askedAt() > 0) {
            seen = new Seen(version, askedAt);
        }
    }

    private boolean isFresh(Seen last) {
        return last.askedAt() - changedAt > 0 && System.nanoTime() - last.askedAt() < MAX_AGE;
    }

    private long ask(VersionQuery query) {
        long start = System.nanoTime();
        if (!tryLock()) {
            Seen last = seen;
            if (last != null && isFresh(last)) {
                return last.version(); // another caller has queried it, but too many were waiting for the lock
            }
            throw new Unavailable("The " + subject + " could not be checked in time; try again shortly.", null);
        }
        try {
            Seen last = seen;
            if (last != null && isFresh(last)) {
                return last.version();
            }
            Long failure = failedAt;
            // A caller that waited during a failed query fails too, or all of them would fail one after the other.
            if (failure != null && (failure - start > 0 || System.nanoTime() - failure < RETRY_AFTER)) {
                throw new Unavailable(
                        "The " + subject + " could not be checked a moment ago; try again shortly.", null);
            }
            return askNow(query);
        } finally {
            lock.unlock();
        }
    }

    private long askNow(VersionQuery query) {
        long askedAt = System.nanoTime();
        try {
            long version = query.ask();
            observe(version, askedAt);
            failedAt = null;
            return version;
        } catch (RuntimeException unanswered) {
            failedAt = System.nanoTime();
            throw unanswered;
        }
    }

    private boolean tryLock() {
        try {
            return lock.tryLock(TIMEOUT, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was interrupted while the " + subject + " were checked.", interrupted);
        }
    }

    private record Seen(long version, long askedAt) {}
}
