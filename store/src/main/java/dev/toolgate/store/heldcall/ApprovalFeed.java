package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.store.connection.Statements;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Delivers approval events of all instances to subscribers. */
public final class ApprovalFeed {
    private static final int OVERLAP_SECONDS = 10;
    private static final int MAX_LOOKBACK_SECONDS = 3600;

    /** The maximum age of events that {@link #resume} replays. */
    public static final Duration MAX_MISSED = Duration.ofSeconds(MAX_LOOKBACK_SECONDS);

    private final Statements statements;
    private final Set<ApprovalSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private long lastRead = System.nanoTime();

    ApprovalFeed(Statements statements) {
        this.statements = statements;
    }

    /** Subscribes to all matching events after this returns. */
    public ApprovalSubscription subscribe(Predicate<ApprovalEvent> wanted) {
        ApprovalSubscription subscription = new ApprovalSubscription(wanted, subscriptions::remove);
        List<ApprovalEvent> before =
                statements.run(handle -> recent(ApprovalRepository.in(handle), 2 * OVERLAP_SECONDS));
        before.forEach(subscription::skip);
        subscriptions.add(subscription);
        return subscription;
    }

    /**
     * The same, preceded by the events that a client missed. It may get some of them twice, since an event may become
     * visible some seconds after its time.
     *
     * @param missed the age of its last event, at most {@link #MAX_MISSED}
     */
    public ApprovalSubscription resume(Predicate<ApprovalEvent> wanted, Duration missed) {
        int seconds = Math.clamp(missed.toSeconds(), 0, MAX_LOOKBACK_SECONDS) + OVERLAP_SECONDS;
        ApprovalSubscription subscription = new ApprovalSubscription(wanted, subscriptions::remove);
        statements.run(handle -> recent(ApprovalRepository.in(handle), seconds)).forEach(subscription::offer);
        subscriptions.add(subscription);
        return subscription;
    }

    /** The number of open subscriptions. */
    public int listeners() {
        return subscriptions.size();
    }

    // Overlaps with the previous read by more than any transaction takes, so that late commits are not missed.
    void read(ApprovalRepository approvals) {
        if (subscriptions.isEmpty()) {
            lastRead = System.nanoTime();
            return;
        }
        int lookback =
                Math.clamp((System.nanoTime() - lastRead) / 1_000_000_000, 0, MAX_LOOKBACK_SECONDS) + OVERLAP_SECONDS;
        List<ApprovalEvent> events = recent(approvals, lookback);
        lastRead = System.nanoTime();
        events.forEach(event -> subscriptions.forEach(subscription -> subscription.offer(event)));
    }

    private static List<ApprovalEvent> recent(ApprovalRepository approvals, int seconds) {
        List<ApprovalEvent> events = new ArrayList<>(approvals.recent(seconds));
        events.sort(Comparator.comparing(ApprovalFeed::happened).thenComparing(ApprovalEvent::kind));
        return events;
    }

    private static Instant happened(ApprovalEvent event) {
        ApprovalRequest request = event.request();
        return event.kind() == ApprovalEvent.Kind.OPENED
                        || request.answer() == null
                        || request.answer().at() == null
                ? request.askedAt()
                : request.answer().at();
    }
}
