package dev.toolgate.store.audit.query;

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
 * New records of all instances, as they are written. Each chain is followed by its own numbers, which
 * become visible in their order and without gaps, so that no record that is committed late is missed,
 * nor one that was written while the database could not be reached.
 *
 * <p>It looks a few times a second. A notification with every commit would be quicker by some
 * milliseconds, but commits that notify wait for each other, across all instances.
 */
public final class AuditFeed implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditFeed.class);
    private static final Duration ROUND = Duration.ofMillis(200);

    private final FeedReader reader;
    private final Set<AuditSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Follows the log from now on.
     *
     * @param sessions one connection is kept for good
     */
    public AuditFeed(UnpooledConnections sessions) throws SQLException {
        reader = new FeedReader(sessions);
        reader.skip();
        thread = Thread.ofPlatform().daemon().name("toolgate-audit-feed").start(this::run);
    }

    /** Everything that matches and is recorded after this returns; in a filter by text, JSON has no spaces. */
    public AuditSubscription subscribe(AuditFilter filter) {
        return subscribe(filter::matches);
    }

    /** The records of all tenants, for those who may see all. */
    public AuditSubscription subscribeToAll() {
        return subscribe(_ -> true);
    }

    /** How many listen now. */
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
            while (!closed.await(ROUND.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    reader.read(() -> !subscriptions.isEmpty(), this::deliver);
                    reported = false;
                } catch (SQLException | RuntimeException unreachable) {
                    if (!reported) {
                        LOG.warn("New audit records are shown when the database is back: {}", unreachable.toString());
                    }
                    reported = true;
                }
            }
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliver(AuditRecord record) {
        subscriptions.forEach(subscription -> subscription.offer(record));
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
        }
    }
}
