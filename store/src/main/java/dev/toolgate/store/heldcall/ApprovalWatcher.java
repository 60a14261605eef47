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
 * What an instance does for held calls in every round: writes pending updates, ends questions whose time is over, hands
 * answers to those who wait, continues calls that nobody else continues, and feeds those who follow.
 */
final class ApprovalWatcher implements DatabaseListener.Watcher {
    private static final Duration ROUND = Duration.ofMillis(500);

    private final UUID instance;
    private final WaitingQuestions waiting;
    private final PendingUpdates afterwards;
    private final ApprovalFeed feed;
    private final HeldCalls.QuestionOf questionOf;
    private @Nullable Connected connected;
    private volatile Resumption resumption = Resumption.NONE;
    private volatile int open;

    /** What lasts as long as a connection. */
    private record Connected(ApprovalRepository approvals, HeldCalls calls) {}

    ApprovalWatcher(
            UUID instance,
            WaitingQuestions waiting,
            PendingUpdates afterwards,
            ApprovalFeed feed,
            HeldCalls.QuestionOf questionOf) {
        this.instance = instance;
        this.waiting = waiting;
        this.afterwards = afterwards;
        this.feed = feed;
        this.questionOf = questionOf;
    }

    void resumeWith(Resumption newResumption) {
        resumption = newResumption;
    }

    int open() {
        return open;
    }

    @Override
    public String subject() {
        return "questions and answers";
    }

    @Override
    public String channel() {
        return ApprovalRepository.CHANNEL;
    }

    @Override
    public Duration interval() {
        return ROUND;
    }

    @Override
    public void connected(Connection connection) {
        connected = new Connected(ApprovalRepository.in(Jdbi.open(connection)), new HeldCalls(instance, questionOf));
    }

    @Override
    public void look(Connection connection) throws SQLException {
        Connected current = connected;
        if (current == null) {
            return;
        }
        ApprovalRepository approvals = current.approvals();
        afterwards.write(approvals, instance, waiting);
        approvals.expire();
        handOut(approvals);
        open = approvals.countOpen();
        current.calls().takeOn(approvals, resumption);
        feed.read(approvals);
    }

    private void handOut(ApprovalRepository approvals) {
        Set<UUID> wanted = waiting.ids();
        if (!wanted.isEmpty()) {
            approvals.answers(wanted).forEach(answered -> waiting.answered(answered.id(), answered.answer()));
        }
    }

    @Override
    public void leave(Connection connection) {
        Connected current = connected;
        if (current != null) {
            afterwards.write(current.approvals(), instance, waiting);
            current.approvals().leaveAll(instance);
        }
    }
}
