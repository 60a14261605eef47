package dev.toolgate.store.audit.query;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.connection.UnpooledConnections;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers new records of all instances as they are written. Each chain is followed by its sequence numbers, which
 * become visible in order and without gaps, so that no record is missed, even if it is committed late
 * or written while the database is unreachable from here.
 *
 * <p>It polls a few times a second. A notification with every commit would be faster by some
 * milliseconds, but PostgreSQL serializes commits that notify, across all instances.
 */
public final class AuditFeed implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditFeed.class);
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final UnpooledConnections connections;
    private final FeedReader reader;
    private final Set<AuditSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Follows the log from now on.
     *
     * @param connections one connection is kept open, and one for a moment while a stream is resumed
     */
    public AuditFeed(UnpooledConnections connections) throws SQLException {
        this.connections = connections;
        reader = new FeedReader(connections);
        reader.skipExisting();
        thread = Thread.ofPlatform().daemon().name("toolgate-audit-feed").start(this::run);
    }

    /**
     * Everything that matches and is recorded after this returns; a text filter is matched against JSON without spaces.
     */
    public AuditSubscription subscribe(AuditFilter filter) {
        return subscribe(filter::matches);
    }

    /**
     * The same, and before it everything since an earlier position.
     *
     * @param position of a subscription at any instance, as {@link AuditSubscription#position} returns it
     * @throws IllegalArgumentException if it is not a position
     * @throws Unavailable if the database cannot be reached
     */
    public AuditSubscription resume(AuditFilter filter, String position) {
        FeedPosition from = FeedPosition.parse(position);
        AuditSubscription live = subscribe(filter::matches);
        try {
            live.replay(new AuditReplay(connections, from));
        } catch (AuditReplay.TooManyRecords missed) {
            live.endWith(missed.getMessage());
        } catch (SQLException unreachable) {
            live.close();
            throw new Unavailable("The audit log cannot be read now; try again shortly.", unreachable);
        }
        return live;
    }

    /** Whether {@link #resume} accepts this text. */
    public static boolean isPosition(String text) {
        try {
            FeedPosition.parse(text);
            return true;
        } catch (IllegalArgumentException other) {
            return false;
        }
    }

    /** The records of all tenants. */
    public AuditSubscription subscribeToAll() {
        return subscribe(_ -> true);
    }

    /** The number of open subscriptions. */
    public int listeners() {
        return subscriptions.size();
    }

    private AuditSubscription subscribe(Predicate<AuditRecord> wanted) {
        AuditSubscription subscription = new AuditSubscription(wanted, subscriptions::remove);
        subscriptions.add(subscription);
        return subscription;
    }

    private void run() {
        boolean reported = false;
        try (reader) {
            while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    reader.read(() -> !subscriptions.isEmpty(), this::deliver);
                    reported = false;
                } catch (SQLException | RuntimeException unreachable) {
                    if (!reported) {
                        LOG.warn(
                                "Audit feed: database unavailable; new records are delivered when it is back: {}",
                                unreachable.toString());
                    }
                    reported = true;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliver(FeedRecord record) {
        subscriptions.forEach(subscription -> subscription.offer(record));
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
