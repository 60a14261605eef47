package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.store.connection.Statements;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** What is asked and answered on all instances, as it happens. */
public final class ApprovalFeed {
    private static final int LEAST_SECONDS = 10;
    private static final int MOST_SECONDS = 3600;

    private final Statements statements;
    private final Set<ApprovalSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private long lastRead = System.nanoTime();

    ApprovalFeed(Statements statements) {
        this.statements = statements;
    }

    /** Everything that is wanted and happens after this returns. */
    public ApprovalSubscription subscribe(Predicate<ApprovalEvent> wanted) {
        ApprovalSubscription subscription = new ApprovalSubscription(wanted, subscriptions::remove);
        List<ApprovalEvent> before = statements.run(handle -> recent(ApprovalRepository.in(handle), 2 * LEAST_SECONDS));
        before.forEach(subscription::skip);
        subscriptions.add(subscription);
        return subscription;
    }

    /** How many listen now. */
    public int listeners() {
        return subscriptions.size();
    }

    // Further back than the last time, by more than any statement takes.
    void read(ApprovalRepository approvals) {
        if (subscriptions.isEmpty()) {
            lastRead = System.nanoTime();
            return;
        }
        int back = Math.clamp((System.nanoTime() - lastRead) / 1_000_000_000, 0, MOST_SECONDS) + LEAST_SECONDS;
        List<ApprovalEvent> events = recent(approvals, back);
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
