package dev.toolgate.store.heldcall;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A queue of approval events for one reader. A reader that does not keep up gets {@link TooSlow}. */
public final class ApprovalSubscription implements AutoCloseable {
    private static final int MAX_QUEUED = 2048;
    private static final int MAX_REMEMBERED = 20_000;

    private final Predicate<ApprovalEvent> wanted;
    private final Consumer<ApprovalSubscription> onClose;
    private final BlockingQueue<ApprovalEvent> waiting = new ArrayBlockingQueue<>(MAX_QUEUED);
    // Reads of events overlap, so that late commits are not missed; this makes sure that each is delivered once.
    private final Set<String> delivered = Collections.newSetFromMap(new Newest());
    private volatile boolean overflowed;

    ApprovalSubscription(Predicate<ApprovalEvent> wanted, Consumer<ApprovalSubscription> onClose) {
        this.wanted = wanted;
        this.onClose = onClose;
    }

    private static final class Newest extends LinkedHashMap<String, Boolean> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_REMEMBERED;
        }
    }

    /** The reader did not keep up; listing approvals returns what it missed. */
    public static final class TooSlow extends Exception {
        private static final long serialVersionUID = 1;

        TooSlow() {
            super("Approval events arrived faster than they were read, so some are missing; list the approvals.");
        }
    }

    /**
     * The next event.
     *
     * @return empty if there was none within the timeout
     * @throws TooSlow when the queue has overflowed and everything in it has been read
     */
    public Optional<ApprovalEvent> next(Duration timeout) throws InterruptedException, TooSlow {
        ApprovalEvent ready = waiting.poll();
        if (ready == null && overflowed) {
            throw new TooSlow();
        }
        return Optional.ofNullable(ready == null ? waiting.poll(timeout.toNanos(), TimeUnit.NANOSECONDS) : ready);
    }

    synchronized void skip(ApprovalEvent event) {
        delivered.add(event.id());
    }

    synchronized void offer(ApprovalEvent event) {
        if (!overflowed && delivered.add(event.id()) && wanted.test(event) && !waiting.offer(event)) {
            overflowed = true;
            onClose.accept(this);
        }
    }

    @Override
    public void close() {
        onClose.accept(this);
    }
}
