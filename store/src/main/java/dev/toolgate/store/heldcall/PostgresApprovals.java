package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.instance.RunningInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions in PostgreSQL. One watcher of this instance looks for the answers to all questions it waits for.
 */
public final class PostgresApprovals implements Approvals, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresApprovals.class);
    // Those who ask wait here and not for the pool, which others need as well.
    private static final int AT_ONCE = 6;
    private static final Duration TURN = Duration.ofSeconds(10);
    private static final int MOST_OPEN = 10_000;

    private final UUID instance;
    private final Statements statements;
    private final Semaphore turns = new Semaphore(AT_ONCE, true);
    private final WaitingQuestions waiting = new WaitingQuestions();
    private final PendingUpdates afterwards = new PendingUpdates();
    private final ApprovalFeed feed;
    private final ApprovalWatcher watcher;
    private final DatabaseListener.Subscription watching;

    /**
     * Begins to look for answers.
     *
     * @param running whose calls are held; closed after this
     */
    public PostgresApprovals(Jdbi jdbi, RunningInstance running) {
        this.instance = running.id();
        this.statements = new Statements(jdbi);
        this.feed = new ApprovalFeed(statements);
        this.watcher = new ApprovalWatcher(instance, waiting, afterwards, feed, this::question);
        this.watching = running.listener().subscribe(watcher);
    }

    @Override
    public Reply ask(Question question, Duration lifetime) {
        return inTurn(() -> statements.runTogether(handle -> {
            ApprovalRepository repository = ApprovalRepository.in(handle);
            Optional<Answer> standing = repository.findCovering(question);
            if (standing.isEmpty() && watcher.open() >= MOST_OPEN) {
                checkRoom(repository, question.call().caller());
            }
            return standing.isPresent() ? new Reply.Settled(standing.get()) : ask(repository, question, lifetime);
        }));
    }

    // Held calls are kept whole, so a tenant that asks without end would fill the database.
    private static void checkRoom(ApprovalRepository repository, Caller caller) {
        if (repository.countOpen(caller.tenant()) >= MOST_OPEN) {
            throw new Unavailable("Too many calls wait for an approval; answer some of them first.", null);
        }
    }

    private Reply ask(ApprovalRepository repository, Question question, Duration lifetime) {
        Call call = question.call();
        ApprovalRepository.Asked asked =
                repository.ask(question, lifetime, call.whenHeld() == Call.WhenHeld.RETURN ? null : instance);
        return switch (asked.join()) {
            case OTHER_CALL -> new Reply.OtherCall();
            case SAME_CALL -> new Reply.Asked(question(asked.id(), asked.expiresAt()));
            case NEW -> {
                if (!repository.takeKey(question.key(), asked.id())) {
                    throw new RequestKeys.Taken(); // which undoes the question
                }
                LOG.info(
                        "Call {} of agent {} waits for an approval of tool '{}'",
                        call.requestId(),
                        call.caller().agent(),
                        question.tool());
                yield new Reply.Asked(question(asked.id(), asked.expiresAt()));
            }
        };
    }

    private PostgresQuestion question(UUID id, Instant expiresAt) {
        return new PostgresQuestion(id, expiresAt, this);
    }

    Optional<Answer> await(UUID id, Duration patience) throws InterruptedException {
        Optional<Answer> answer = Optional.empty();
        try {
            answer = waiting.await(id, patience);
            return answer;
        } finally {
            if (answer.isEmpty()) {
                afterwards.leave(id); // whoever comes next may go on with it
            }
        }
    }

    boolean claim(UUID id) {
        return inTurn(
                () -> statements.run(handle -> ApprovalRepository.in(handle).claim(id, instance)));
    }

    void giveBack(UUID id) {
        afterwards.giveBack(id);
    }

    void ended(UUID id) {
        afterwards.end(id);
    }

    void withdraw(UUID id) {
        try {
            boolean _ = inTurn(() -> statements.run(handle -> {
                ApprovalRepository.in(handle).withdraw(List.of(id), instance);
                return true;
            }));
        } catch (Unavailable later) {
            afterwards.withdraw(id);
        }
    }

    private <T> T inTurn(Supplier<T> work) {
        try {
            if (!turns.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Unavailable("Too many calls wait for an approval to be asked for.", null);
            }
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was interrupted while an approval was asked for.", hostWantsItsThread);
        }
        try {
            return work.get();
        } finally {
            turns.release();
        }
    }

    /** Has calls that were held and are answered gone on with, by this instance too; from now on. */
    public void resumeWith(Resumption resumption) {
        watcher.resumeWith(resumption);
    }

    /** What is asked and answered, as it happens. */
    public ApprovalFeed feed() {
        return feed;
    }

    /** How many questions of all tenants are open, as of a moment ago. */
    public int open() {
        return watcher.open();
    }

    /** Sends everybody away who waits here; questions stay for whoever comes next, if somebody can. */
    public void leave() {
        waiting.leave();
        watcher.resumeWith(Resumption.NONE);
    }

    /** Ends; calls that are still held are gone on with elsewhere. */
    @Override
    public void close() {
        leave();
        watching.close();
    }
}
