package dev.toolgate.store.audit.write;

import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.store.batch.Batcher;
import dev.toolgate.store.batch.WakeUp;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the items of many callers in batches with one commit each. Each caller returns when its own item is durable,
 * or gets an error.
 */
final class GroupCommit<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final int MAX_BATCH = 512;
    private static final int MAX_WEIGHT = 8 << 20;
    private static final Duration IDLE_INTERVAL = Duration.ofMillis(50);
    private static final Duration TICK_INTERVAL = Duration.ofMillis(500);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Duration timeout;
    private final Writer<T> writer;
    private final WakeUp wakeUp = new WakeUp();
    private final Batcher<QueuedItem<T>> batches;
    private long lastTick = System.nanoTime();

    /** Writes items, on one thread. */
    interface Writer<T> {
        /**
         * Writes all items, or none and throws.
         *
         * @return the items, by identity, that were not written because their key belongs to another call
         */
        Set<T> write(List<T> items) throws Exception;

        /** Whether the error was caused by an item, not by the connection. */
        boolean isCausedByItem(Exception error);

        int weight(T item);

        /** Called periodically, even if there is nothing to write. */
        void tick();
    }

    GroupCommit(String name, int capacity, Duration timeout, Writer<T> writer) {
        this.timeout = timeout;
        this.writer = writer;
        this.batches = new Batcher<>(
                name,
                new Batcher.Limits(capacity, MAX_BATCH, MAX_WEIGHT, IDLE_INTERVAL, CLOSE_TIMEOUT),
                wakeUp,
                new Batches());
    }

    /**
     * Returns when the item is durable; throws if it is not, or if that is unknown.
     *
     * @throws RequestKeys.Taken if the item was not written because its key belongs to another call
     */
    void submit(T item) {
        QueuedItem<T> queued = new QueuedItem<>(item, timeout);
        if (!batches.add(queued)) {
            throw new NotRecorded(
                    batches.isClosed()
                            ? "The audit log is closed, because the server is stopping."
                            : "Too many calls are waiting to be recorded; try again shortly.",
                    null,
                    NotRecorded.Certainty.NOT_WRITTEN);
        }
        queued.await();
    }

    private final class Batches implements Batcher.Work<QueuedItem<T>> {
        @Override
        public void run(List<QueuedItem<T>> batch) {
            write(batch);
            if (System.nanoTime() - lastTick > TICK_INTERVAL.toNanos()) {
                tick();
                lastTick = System.nanoTime();
            }
        }

        @Override
        public int weight(QueuedItem<T> entry) {
            return writer.weight(entry.item());
        }
    }

    // Its failures do not affect callers.
    private void tick() {
        try {
            writer.tick();
        } catch (RuntimeException unexpected) {
            LOG.error("Periodic work of the audit writer failed", unexpected);
        }
    }

    private void write(List<QueuedItem<T>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            Set<T> late = writer.write(batch.stream().map(QueuedItem::item).toList());
            wakeUp.callers(batch.size(), () -> complete(batch, late));
        } catch (Exception failed) {
            if (batch.size() > 1 && writer.isCausedByItem(failed)) {
                batch.forEach(queued -> write(List.of(queued))); // so that one bad item fails only itself
            } else {
                batch.forEach(queued -> queued.failed(failed));
            }
        }
    }

    private static <T> void complete(List<QueuedItem<T>> batch, Set<T> late) {
        for (QueuedItem<T> queued : batch) {
            if (late.contains(queued.item())) {
                queued.failed(new RequestKeys.Taken());
            } else {
                queued.durable();
            }
        }
    }

    /** The number of items in the queue. */
    int waiting() {
        return batches.waiting();
    }

    /** Accepts no more items, writes the queue, and ends. */
    @Override
    public void close() {
        batches.close();
    }
}
