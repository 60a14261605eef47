package dev.toolgate.store.heldcall;

import dev.toolgate.store.connection.DatabaseListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The periodic work of an instance for held calls: writes pending updates, expires requests, delivers
 * answers to waiting callers, continues abandoned calls, and publishes events to subscribers.
 */
final class ApprovalWatcher implements DatabaseListener.Watcher {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final UUID instance;
    private final AnswerWaiters waiting;
    private final PendingUpdates updates;
    private final ApprovalFeed feed;
    private final HeldCallRecovery.QuestionFactory questions;
    private @Nullable Connected connected;
    private volatile HeldCallResumer resumer = HeldCallResumer.NONE;
    private volatile int open;

    /** State that lives as long as a connection. */
    private record Connected(ApprovalRepository approvals, HeldCallRecovery calls) {}

    ApprovalWatcher(
            UUID instance,
            AnswerWaiters waiting,
            PendingUpdates updates,
            ApprovalFeed feed,
            HeldCallRecovery.QuestionFactory questions) {
        this.instance = instance;
        this.waiting = waiting;
        this.updates = updates;
        this.feed = feed;
        this.questions = questions;
    }

    void resumeWith(HeldCallResumer newResumer) {
        resumer = newResumer;
    }

    int open() {
        return open;
    }

    @Override
    public String subject() {
        return "approval requests and answers";
    }

    @Override
    public String channel() {
        return ApprovalRepository.CHANNEL;
    }

    @Override
    public Duration interval() {
        return INTERVAL;
    }

    @Override
    public void connected(Connection connection) {
        connected =
                new Connected(ApprovalRepository.in(Jdbi.open(connection)), new HeldCallRecovery(instance, questions));
    }

    @Override
    public void poll(Connection connection) throws SQLException {
        Connected current = connected;
        if (current == null) {
            return;
        }
        ApprovalRepository approvals = current.approvals();
        updates.write(approvals, instance, waiting);
        approvals.expire();
        deliverAnswers(approvals);
        open = approvals.countOpen();
        current.calls().recover(approvals, resumer);
        feed.read(approvals);
    }

    private void deliverAnswers(ApprovalRepository approvals) {
        Set<UUID> wanted = waiting.ids();
        if (!wanted.isEmpty()) {
            approvals.answers(wanted).forEach(answered -> waiting.answered(answered.id(), answered.answer()));
        }
    }

    @Override
    public void leave(Connection connection) {
        Connected current = connected;
        if (current != null) {
            updates.write(current.approvals(), instance, waiting);
            current.approvals().leaveAll(instance);
        }
    }
}
