package dev.toolgate.store.audit;

import dev.toolgate.core.call.RequestKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many callers, one writer: whoever comes while a batch is being written shares the next one, so a
 * hundred callers cost one commit. Each returns when its own item is durable, or with an error.
 */
final class GroupCommit<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final int MOST_ITEMS = 512;
    private static final int MOST_WEIGHT = 8 << 20;
    private static final long NAP_MS = 50;
    private static final long TICK_MS = 500;

    private final BlockingQueue<Waiting<T>> queue;
    private final Duration patience;
    private final Writer<T> writer;
    private final Thread thread;
    private final Watch watch;
    private volatile List<Waiting<T>> writing = List.of();
    private volatile boolean closed;
    private volatile boolean ended;

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
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.patience = patience;
        this.writer = writer;
        this.watch = new Watch(this::endWaits);
        this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /**
     * Returns once the item is durable; throws if it is not, or if that cannot be known.
     *
     * @throws RequestKeys.Taken if the item was left out because its key belongs to another call
     */
    void submit(T item) {
        Waiting<T> waiting = new Waiting<>(item, patience);
        if (closed || !queue.offer(waiting)) {
            throw new NotRecorded(
                    closed ? "The audit log is closed." : "Too many calls wait to be recorded.",
                    null,
                    NotRecorded.Certainty.NOT_WRITTEN);
        }
        if (ended) {
            refuseRest();
        }
        waiting.await();
    }

    private void endWaits(long now) {
        queue.forEach(waiting -> waiting.endWait(now));
        writing.forEach(waiting -> waiting.endWait(now));
    }

    private void run() {
        try (watch) {
            writeUntilClosed();
        } finally {
            ended = true; // whoever comes later sees this, and whoever came earlier is in the queue
            refuseRest();
        }
    }

    private void refuseRest() {
        queue.forEach(late -> late.failed(new IllegalStateException("The audit log is closed.")));
    }

    private void writeUntilClosed() {
        long lastTick = System.nanoTime();
        while (!closed || !queue.isEmpty()) {
            List<Waiting<T>> batch = new ArrayList<>();
            try {
                Waiting<T> first = queue.poll(NAP_MS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    fill(batch, first);
                    writing = batch; // and nobody changes it any more
                    write(batch);
                    writing = List.of();
                }
                if (System.nanoTime() - lastTick > TimeUnit.MILLISECONDS.toNanos(TICK_MS)) {
                    writer.tick();
                    lastTick = System.nanoTime();
                }
            } catch (Throwable unexpected) { // the one writer must not die, and nobody may wait in vain
                LOG.error("The audit writer failed", unexpected);
                batch.forEach(waiting -> waiting.failed(unexpected));
            }
        }
    }

    private void fill(List<Waiting<T>> batch, Waiting<T> first) {
        long weight = 0;
        for (Waiting<T> next = first; next != null; next = queue.poll()) {
            if (next.take()) {
                batch.add(next);
                weight += writer.weight(next.item());
            }
            if (batch.size() == MOST_ITEMS || weight > MOST_WEIGHT) {
                return;
            }
        }
    }

    private void write(List<Waiting<T>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            Set<T> late = writer.write(batch.stream().map(Waiting::item).toList());
            // From a virtual thread, which wakes others of its kind at less cost, while the next batch begins.
            Thread.startVirtualThread(() -> tell(batch, late));
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
        return queue.size();
    }

    /** Takes no more items, writes those that wait, and ends. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
        }
    }
}
