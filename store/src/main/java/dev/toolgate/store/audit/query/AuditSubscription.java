package dev.toolgate.store.audit.query;

import dev.toolgate.store.audit.record.AuditRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** New records for one reader, who takes them one by one. A reader that is too slow is cut off and told so. */
public final class AuditSubscription implements AutoCloseable {
    private static final int MOST_WAITING = 2048;

    private final Predicate<AuditRecord> wanted;
    private final Consumer<AuditSubscription> onClose;
    private final BlockingQueue<AuditRecord> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private volatile boolean cut;

    AuditSubscription(Predicate<AuditRecord> wanted, Consumer<AuditSubscription> onClose) {
        this.wanted = wanted;
        this.onClose = onClose;
    }

    /** The reader did not keep up; the records it missed can be had by a query. */
    public static final class TooSlow extends Exception {
        private static final long serialVersionUID = 1;

        TooSlow() {
            super("New records came faster than they were read, so some are missing here; query for them.");
        }
    }

    /**
     * The next record, in the order of its chain.
     *
     * @return empty if there was none in that time
     * @throws TooSlow once everything that still waited has been read, and from then on always
     */
    public Optional<AuditRecord> next(Duration patience) throws InterruptedException, TooSlow {
        AuditRecord ready = waiting.poll();
        if (ready == null && cut) {
            throw new TooSlow();
        }
        return Optional.ofNullable(ready == null ? waiting.poll(patience.toNanos(), TimeUnit.NANOSECONDS) : ready);
    }

    void offer(AuditRecord record) {
        if (!cut && wanted.test(record) && !waiting.offer(record)) {
            cut = true;
            onClose.accept(this);
        }
    }

    /** Wants no more. */
    @Override
    public void close() {
        onClose.accept(this);
    }
}
