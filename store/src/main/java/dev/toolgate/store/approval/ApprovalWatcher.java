package dev.toolgate.store.approval;

import dev.toolgate.store.Sessions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Jdbi;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of an instance that looks after questions: says that the instance is there, ends questions whose time
 * is over, hands answers to those who wait, and takes on calls that nobody else goes on with. A notification only makes
 * it look at once; it looks twice a second all the same.
 */
final class ApprovalWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApprovalWatcher.class);
    private static final Duration ROUND = Duration.ofMillis(500);
    private static final int NETWORK_PATIENCE_MS = 5_000;
    private static final Executor ON_THE_SPOT = Runnable::run;

    private final UUID instance;
    private final Sessions sessions;
    private final WaitingQuestions waiting;
    private final Afterwards afterwards;
    private final ApprovalFeed feed;
    private final HeldCalls.QuestionOf questionOf;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private volatile Resumption resumption = Resumption.NONE;
    private volatile int open;

    ApprovalWatcher(
            UUID instance,
            Sessions sessions,
            WaitingQuestions waiting,
            Afterwards afterwards,
            ApprovalFeed feed,
            HeldCalls.QuestionOf questionOf) {
        this.instance = instance;
        this.sessions = sessions;
        this.waiting = waiting;
        this.afterwards = afterwards;
        this.feed = feed;
        this.questionOf = questionOf;
        this.thread = Thread.ofPlatform().daemon().name("toolgate-approvals").start(this::watch);
    }

    void resumeWith(Resumption newResumption) {
        resumption = newResumption;
    }

    int open() {
        return open;
    }

    private void watch() {
        boolean reported = false;
        while (closed.getCount() > 0) {
            try (Connection connection = sessions.open();
                    Statement statement = connection.createStatement()) {
                connection.setNetworkTimeout(ON_THE_SPOT, NETWORK_PATIENCE_MS);
                statement.execute("LISTEN " + ApprovalRepository.CHANNEL);
                reported = false;
                rounds(connection);
                farewell(connection);
            } catch (SQLException | RuntimeException lost) {
                if (!reported && closed.getCount() > 0) {
                    LOG.warn("Answers to approvals are seen when the database is back: {}", lost.toString());
                    reported = true;
                }
                rest();
            }
        }
    }

    private void rounds(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        ApprovalRepository approvals = ApprovalRepository.in(Jdbi.open(connection));
        HeldCalls calls = new HeldCalls(approvals, instance, questionOf);
        while (closed.getCount() > 0) {
            afterwards.write(approvals, instance, waiting);
            approvals.sayHere(instance);
            approvals.expire();
            hand(approvals);
            open = approvals.countOpen();
            calls.takeOn(resumption);
            feed.read(approvals);
            postgres.getNotifications((int) ROUND.toMillis());
        }
    }

    private void hand(ApprovalRepository approvals) {
        Set<UUID> wanted = waiting.ids();
        if (!wanted.isEmpty()) {
            approvals.answers(wanted).forEach(answered -> waiting.answered(answered.id(), answered.answer()));
        }
    }

    private void farewell(Connection connection) {
        ApprovalRepository approvals = ApprovalRepository.in(Jdbi.open(connection));
        afterwards.write(approvals, instance, waiting);
        approvals.leaveAll(instance);
        approvals.sayGone(instance);
    }

    private void rest() {
        try {
            boolean _ = closed.await(ROUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
        }
    }
}
