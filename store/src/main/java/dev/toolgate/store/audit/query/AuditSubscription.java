package dev.toolgate.store.audit.query;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.ChainLink;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A queue of new records for one reader. A reader that does not keep up gets {@link TooSlow}. */
public final class AuditSubscription implements AutoCloseable {
    private static final int MAX_QUEUED = 2048;

    private final Predicate<AuditRecord> wanted;
    private final Consumer<AuditSubscription> onClose;
    private final BlockingQueue<FeedRecord> waiting = new ArrayBlockingQueue<>(MAX_QUEUED);
    private volatile @Nullable String cut;
    // Used by the reader only.
    private @Nullable AuditReplay replay;
    private @Nullable FeedPosition replayed;
    private @Nullable FeedPosition position;

    AuditSubscription(Predicate<AuditRecord> wanted, Consumer<AuditSubscription> onClose) {
        this.wanted = wanted;
        this.onClose = onClose;
    }

    /** Replays earlier records first; called before the first read. */
    void replay(AuditReplay earlier) {
        replay = earlier;
        replayed = earlier.end();
    }

    /** Ends it: the reader gets {@link TooSlow} with this message. */
    void endWith(@Nullable String message) {
        waiting.clear();
        cut = String.valueOf(message);
        onClose.accept(this);
    }

    /** The reader did not keep up; a query returns the records it missed. */
    public static final class TooSlow extends Exception {
        private static final long serialVersionUID = 1;

        TooSlow(String message) {
            super(message);
        }
    }

    /**
     * The next record, in the order of its chain.
     *
     * @return empty if there was none within the timeout
     * @throws TooSlow when the queue has overflowed and everything in it has been read, or too many records would have
     *     to be replayed
     * @throws Unavailable if earlier records have to be read, and the database cannot be reached
     */
    public Optional<AuditRecord> next(Duration timeout) throws InterruptedException, TooSlow {
        Optional<AuditRecord> earlier = nextReplayed();
        if (earlier.isPresent()) {
            return earlier;
        }
        FeedRecord ready = waiting.poll();
        String reason = cut;
        if (ready == null && reason != null) {
            throw new TooSlow(reason);
        }
        return delivered(ready == null ? waiting.poll(timeout.toNanos(), TimeUnit.NANOSECONDS) : ready);
    }

    /** Where the feed was after the record that was read last; resumes it at any instance. Null before the first. */
    public @Nullable String position() {
        return position == null ? null : position.toString();
    }

    private Optional<AuditRecord> nextReplayed() {
        try {
            while (replay != null) {
                Optional<FeedRecord> next = replay.next();
                if (next.isEmpty()) {
                    replay = null;
                } else if (wanted.test(next.get().record())) {
                    position = next.get().after();
                    return Optional.of(next.get().record());
                }
            }
            return Optional.empty();
        } catch (SQLException unreachable) {
            throw new Unavailable("The audit log cannot be read now; try again shortly.", unreachable);
        }
    }

    private Optional<AuditRecord> delivered(@Nullable FeedRecord next) {
        if (next == null) {
            return Optional.empty();
        }
        ChainLink link = next.record().link();
        if (replayed == null) {
            position = next.after();
        } else if (link.sequence() <= replayed.sequenceOf(link.instanceId())) {
            return Optional.empty(); // already replayed
        } else {
            position = next.after().or(replayed);
        }
        return Optional.of(next.record());
    }

    void offer(FeedRecord next) {
        if (cut == null && wanted.test(next.record()) && !waiting.offer(next)) {
            cut = "New records arrived faster than they were read, so some are missing; query the log for them.";
            onClose.accept(this);
        }
    }

    @Override
    public void close() {
        onClose.accept(this);
    }
}
