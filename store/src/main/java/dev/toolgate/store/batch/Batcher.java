package dev.toolgate.store.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes the entries of many callers in batches on one thread: entries that arrive during a batch share the next
 * one, so that a hundred callers cost one round trip. Every entry is completed, or fails when it times out, when the
 * work fails, or when this is closed.
 */
public final class Batcher<E extends Batcher.Entry> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Batcher.class);

    private final String name;
    private final Limits limits;
    private final BatchPace pace;
    private final Work<E> work;
    private final BlockingQueue<E> queue;
    private final TimeoutChecker timeouts;
    private final Thread thread;
    private volatile List<E> working = List.of();
    private volatile boolean closed;
    private volatile boolean ended;

    /** A request of a caller that waits for its completion. */
    public interface Entry {
        /** Called before it is processed; false if its caller has given up, so that it must not be processed. */
        boolean take();

        /** Fails the entry, unless it is already completed. */
        void failed(Throwable why);

        /**
         * Fails the entry if its deadline has passed.
         *
         * @param now as {@link System#nanoTime}
         */
        void expire(long now);
    }

    /** Processes batches, on one thread. */
    public interface Work<E> {
        /**
         * Processes a batch and completes its entries, possibly later; if it throws, they fail.
         *
         * @param batch empty if no entry arrived within the idle interval
         */
        void run(List<E> batch) throws Exception;

        /** The weight of an entry, limited per batch. */
        int weight(E entry);

        /** There will be no more batches. */
        default void end() {}
    }

    /**
     * Limits of the queue and of batches.
     *
     * @param capacity the length of the queue
     * @param maxBatch the maximum number of entries in a batch
     * @param maxWeight a batch that exceeds this weight gets no more entries
     * @param idleInterval after this time without entries an empty batch is processed
     * @param closeTimeout how long closing waits for queued entries
     */
    public record Limits(int capacity, int maxBatch, long maxWeight, Duration idleInterval, Duration closeTimeout) {}

    public Batcher(String name, Limits limits, BatchPace pace, Work<E> work) {
        this.name = name;
        this.limits = limits;
        this.pace = pace;
        this.work = work;
        this.queue = new ArrayBlockingQueue<>(limits.capacity());
        this.timeouts = new TimeoutChecker(this::expireEntries);
        this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /** Queues an entry; false if the queue is full or closed. */
    public boolean add(E entry) {
        if (closed || !queue.offer(entry)) {
            return false;
        }
        if (ended) {
            failRemaining();
        }
        return true;
    }

    public boolean isClosed() {
        return closed;
    }

    /** The number of queued entries. */
    public int waiting() {
        return queue.size();
    }

    private void expireEntries(long now) {
        queue.forEach(entry -> entry.expire(now));
        working.forEach(entry -> entry.expire(now));
    }

    private void run() {
        try (timeouts) {
            workUntilClosed();
        } finally {
            ended = true; // a later add sees this flag; the entry of an earlier one is in the queue
            failRemaining();
            work.end();
        }
    }

    private void failRemaining() {
        queue.forEach(late -> late.failed(new IllegalStateException("The server is stopping.")));
    }

    private void workUntilClosed() {
        while (!closed || !queue.isEmpty()) {
            List<E> batch = new ArrayList<>();
            try {
                E first = queue.poll(limits.idleInterval().toMillis(), TimeUnit.MILLISECONDS);
                if (first != null) {
                    pace.awaitTurn(() -> queue.size() + 1);
                    fill(batch, first);
                }
                working = batch; // not modified from here on, because the timeout checker reads it
                work.run(batch);
            } catch (Throwable unexpected) { // the thread must not die, and every entry must be completed
                LOG.error("Batch of {} failed", name, unexpected);
                batch.forEach(entry -> entry.failed(unexpected));
            }
            working = List.of();
        }
    }

    private void fill(List<E> batch, E first) {
        long weight = 0;
        for (E next = first; next != null; next = queue.poll()) {
            if (next.take()) {
                batch.add(next);
                weight += work.weight(next);
            }
            if (batch.size() == limits.maxBatch() || weight > limits.maxWeight()) {
                return;
            }
        }
    }

    /** Accepts no more entries, processes the queue, and ends. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(limits.closeTimeout());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
