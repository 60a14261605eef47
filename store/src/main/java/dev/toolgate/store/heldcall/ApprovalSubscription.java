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

/** What is asked and answered, for one reader. A reader that is too slow is cut off and told so. */
public final class ApprovalSubscription implements AutoCloseable {
    private static final int MOST_WAITING = 2048;
    private static final int MOST_REMEMBERED = 20_000;

    private final Predicate<ApprovalEvent> wanted;
    private final Consumer<ApprovalSubscription> onClose;
    private final BlockingQueue<ApprovalEvent> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    // Events are looked for over a while, so that one which is committed late is not missed; each is told once.
    private final Set<String> told = Collections.newSetFromMap(new Newest());
    private volatile boolean cut;

    ApprovalSubscription(Predicate<ApprovalEvent> wanted, Consumer<ApprovalSubscription> onClose) {
        this.wanted = wanted;
        this.onClose = onClose;
    }

    private static final class Newest extends LinkedHashMap<String, Boolean> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_REMEMBERED;
        }
    }

    /** The reader did not keep up; what it missed can be had by listing. */
    public static final class TooSlow extends Exception {
        private static final long serialVersionUID = 1;

        TooSlow() {
            super("More was asked and answered than was read, so some is missing here; list the approvals.");
        }
    }

    /**
     * The next event.
     *
     * @return empty if there was none in that time
     * @throws TooSlow once everything that still waited has been read, and from then on always
     */
    public Optional<ApprovalEvent> next(Duration patience) throws InterruptedException, TooSlow {
        ApprovalEvent ready = waiting.poll();
        if (ready == null && cut) {
            throw new TooSlow();
        }
        return Optional.ofNullable(ready == null ? waiting.poll(patience.toNanos(), TimeUnit.NANOSECONDS) : ready);
    }

    synchronized void skip(ApprovalEvent event) {
        told.add(event.id());
    }

    synchronized void offer(ApprovalEvent event) {
        if (!cut && told.add(event.id()) && wanted.test(event) && !waiting.offer(event)) {
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
