package dev.toolgate.store.approval;

import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
    private static final String RECENT = "SELECT " + ApprovalRows.COLUMNS + """
            , asked_at > now() - make_interval(secs => ?) AS is_new FROM approvals
            WHERE asked_at > now() - make_interval(secs => ?) OR answered_at > now() - make_interval(secs => ?)
            ORDER BY coalesce(answered_at, asked_at) DESC LIMIT 5000""";

    private final Statements statements;
    private final Set<ApprovalSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private long lastRead = System.nanoTime();

    ApprovalFeed(Statements statements) {
        this.statements = statements;
    }

    /** Everything that is wanted and happens after this returns. */
    public ApprovalSubscription subscribe(Predicate<ApprovalEvent> wanted) {
        ApprovalSubscription subscription = new ApprovalSubscription(wanted, subscriptions::remove);
        List<ApprovalEvent> before = statements.run(handle -> recent(handle.getConnection(), 2 * LEAST_SECONDS));
        before.forEach(subscription::skip);
        subscriptions.add(subscription);
        return subscription;
    }

    /** How many listen now. */
    public int listeners() {
        return subscriptions.size();
    }

    // Further back than the last time, by more than any statement takes.
    void read(Connection connection) throws SQLException {
        if (subscriptions.isEmpty()) {
            lastRead = System.nanoTime();
            return;
        }
        int back = Math.clamp((System.nanoTime() - lastRead) / 1_000_000_000, 0, MOST_SECONDS) + LEAST_SECONDS;
        List<ApprovalEvent> events = recent(connection, back);
        lastRead = System.nanoTime();
        events.forEach(event -> subscriptions.forEach(subscription -> subscription.offer(event)));
    }

    private static List<ApprovalEvent> recent(Connection connection, int seconds) {
        List<ApprovalEvent> events = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(RECENT)) {
            query.setInt(1, seconds);
            query.setInt(2, seconds);
            query.setInt(3, seconds);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    ApprovalRequest request = ApprovalRows.request(rows);
                    if (rows.getBoolean("is_new")) {
                        events.add(new ApprovalEvent(ApprovalEvent.Kind.OPENED, request));
                    }
                    if (request.answer() != null) {
                        events.add(new ApprovalEvent(ApprovalEvent.Kind.ANSWERED, request));
                    }
                }
            }
        } catch (SQLException failed) {
            throw new Unavailable("Approvals cannot be followed now.", failed);
        }
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
