package dev.toolgate.store.audit.write;

import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.store.batch.BatchPace;
import dev.toolgate.store.batch.Batcher;
import dev.toolgate.store.batch.WakeUp;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes items of many callers durable, a batch with one commit. Each caller returns when its own item is durable, or with
 * an error.
 */
final class GroupCommit<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final int MOST_ITEMS = 512;
    private static final int MOST_WEIGHT = 8 << 20;
    private static final Duration IDLE = Duration.ofMillis(50);
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

    private final Duration patience;
    private final Writer<T> writer;
    private final Batcher<Waiting<T>> batches;
    private long lastTick = System.nanoTime();

    /** Makes items durable, on one thread. */
    interface Writer<T> {
        /**
         * All of them in one go, or none and an error.
         *
         * @return those, by identity, that were left out because their key belongs to another call
         */
        Set<T> write(List<T> items) throws Exception;

        /** Whether the error is about an item and not about the way to the database. */
        boolean isAboutAnItem(Exception error);

        int weight(T item);

        /** Called now and then, also when there is nothing to write. */
        void tick();
    }

    GroupCommit(String name, int capacity, Duration patience, Writer<T> writer) {
        this.patience = patience;
        this.writer = writer;
        this.batches = new Batcher<>(
                name,
                new Batcher.Limits(capacity, MOST_ITEMS, MOST_WEIGHT, IDLE, LONGEST_CLOSE),
                BatchPace.unlimited(),
                new Batches());
    }

    /**
     * Returns once the item is durable; throws if it is not, or if that cannot be known.
     *
     * @throws RequestKeys.Taken if the item was left out because its key belongs to another call
     */
    void submit(T item) {
        Waiting<T> waiting = new Waiting<>(item, patience);
        if (!batches.add(waiting)) {
            throw new NotRecorded(
                    batches.isClosed() ? "The audit log is closed." : "Too many calls wait to be recorded.",
                    null,
                    NotRecorded.Certainty.NOT_WRITTEN);
        }
        waiting.await();
    }

    private final class Batches implements Batcher.Work<Waiting<T>> {
        @Override
        public void run(List<Waiting<T>> batch) {
            write(batch);
            if (System.nanoTime() - lastTick > TICK.toNanos()) {
                tick();
                lastTick = System.nanoTime();
            }
        }

        @Override
        public int weight(Waiting<T> entry) {
            return writer.weight(entry.item());
        }
    }

    // What it fails at concerns none of the callers.
    private void tick() {
        try {
            writer.tick();
        } catch (RuntimeException unexpected) {
            LOG.error("What is done beside the records failed", unexpected);
        }
    }

    private void write(List<Waiting<T>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            Set<T> late = writer.write(batch.stream().map(Waiting::item).toList());
            WakeUp.callers(() -> tell(batch, late));
        } catch (Exception failed) {
            if (batch.size() > 1 && writer.isAboutAnItem(failed)) {
                batch.forEach(waiting -> write(List.of(waiting))); // so that one bad item fails only itself
            } else {
                batch.forEach(waiting -> waiting.failed(failed));
            }
        }
    }

    private static <T> void tell(List<Waiting<T>> batch, Set<T> late) {
        for (Waiting<T> waiting : batch) {
            if (late.contains(waiting.item())) {
                waiting.failed(new RequestKeys.Taken());
            } else {
                waiting.durable();
            }
        }
    }

    /** How many items wait to be taken. */
    int waiting() {
        return batches.waiting();
    }

    /** Takes no more items, writes those that wait, and ends. */
    @Override
    public void close() {
        batches.close();
    }
}
