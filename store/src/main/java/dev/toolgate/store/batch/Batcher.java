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
 * Many callers, one thread: whoever comes while a batch is being worked on shares the next one, so that a hundred callers
 * cost one round trip. No caller waits in vain: every entry is completed, or fails when its time is over, when the work
 * fails, or when this is closed.
 */
public final class Batcher<E extends Batcher.Entry> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Batcher.class);

    private final String name;
    private final Limits limits;
    private final BatchPace pace;
    private final Work<E> work;
    private final BlockingQueue<E> queue;
    private final Watch watch;
    private final Thread thread;
    private volatile List<E> working = List.of();
    private volatile boolean closed;
    private volatile boolean ended;

    /** What a caller wants, and the caller that waits for it. */
    public interface Entry {
        /** The thread begins with it; false if its caller has given up, and then nothing may be done for it. */
        boolean take();

        /** Lets the caller go with an error, unless it has been let go before. */
        void failed(Throwable why);

        /**
         * Lets the caller go if it has waited too long.
         *
         * @param now as {@link System#nanoTime}
         */
        void endWait(long now);
    }

    /** Works on batches, on one thread. */
    public interface Work<E> {
        /**
         * Works on a batch and completes its entries, now or soon; if it throws, they fail.
         *
         * @param batch empty if nobody came for a while
         */
        void run(List<E> batch) throws Exception;

        /** How much of the largest batch an entry takes. */
        int weight(E entry);

        /** There will be no more batches. */
        default void end() {}
    }

    /**
     * How much is taken at once.
     *
     * @param capacity how many may wait
     * @param batch the most entries of a batch
     * @param weight a batch that is heavier takes no more entries
     * @param idle after how long without entries an empty batch is worked on
     * @param longestClose how long closing waits for those who have come before
     */
    public record Limits(int capacity, int batch, long weight, Duration idle, Duration longestClose) {}

    public Batcher(String name, Limits limits, BatchPace pace, Work<E> work) {
        this.name = name;
        this.limits = limits;
        this.pace = pace;
        this.work = work;
        this.queue = new ArrayBlockingQueue<>(limits.capacity());
        this.watch = new Watch(this::endWaits);
        this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /** Adds an entry to one of the next batches; false if too many wait, or if this is closed. */
    public boolean add(E entry) {
        if (closed || !queue.offer(entry)) {
            return false;
        }
        if (ended) {
            refuseRest();
        }
        return true;
    }

    public boolean isClosed() {
        return closed;
    }

    /** How many entries wait to be taken. */
    public int waiting() {
        return queue.size();
    }

    private void endWaits(long now) {
        queue.forEach(entry -> entry.endWait(now));
        working.forEach(entry -> entry.endWait(now));
    }

    private void run() {
        try (watch) {
            workUntilClosed();
        } finally {
            ended = true; // whoever comes later sees this, and whoever came earlier is in the queue
            refuseRest();
            work.end();
        }
    }

    private void refuseRest() {
        queue.forEach(late -> late.failed(new IllegalStateException("The server is stopping.")));
    }

    private void workUntilClosed() {
        while (!closed || !queue.isEmpty()) {
            List<E> batch = new ArrayList<>();
            try {
                E first = queue.poll(limits.idle().toMillis(), TimeUnit.MILLISECONDS);
                if (first != null) {
                    pace.awaitTurn();
                    fill(batch, first);
                }
                working = batch; // and nobody changes it any more
                work.run(batch);
            } catch (Throwable unexpected) { // the one thread must not die, and nobody may wait in vain
                LOG.error("A batch of {} failed", name, unexpected);
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
            if (batch.size() == limits.batch() || weight > limits.weight()) {
                return;
            }
        }
    }

    /** Takes no more entries, works on those that wait, and ends. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(limits.longestClose());
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
        }
    }
}
