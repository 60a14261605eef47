package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestKey;
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
 * Approval requests in PostgreSQL. One watcher polls for the answers to all requests that this instance waits for.
 */
public final class PostgresApprovals implements Approvals, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresApprovals.class);
    // Callers wait for a permit instead of occupying the whole pool.
    private static final int MAX_CONCURRENT = 6;
    private static final Duration PERMIT_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_OPEN = 10_000;

    private final UUID instance;
    private final Statements statements;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT, true);
    private final AnswerWaiters waiting = new AnswerWaiters();
    private final PendingUpdates updates = new PendingUpdates();
    private final ApprovalFeed feed;
    private final ApprovalWatcher watcher;
    private final DatabaseListener.Subscription watching;

    /**
     * Starts to poll for answers.
     *
     * @param running the instance whose calls are held; must be closed after this
     */
    public PostgresApprovals(Jdbi jdbi, RunningInstance running) {
        this.instance = running.id();
        this.statements = new Statements(jdbi);
        this.feed = new ApprovalFeed(statements);
        this.watcher = new ApprovalWatcher(instance, waiting, updates, feed, this::question);
        this.watching = running.listener().subscribe(watcher);
    }

    @Override
    public Reply ask(Question question, Duration lifetime) {
        return withPermit(() -> statements.inTransaction(handle -> {
            ApprovalRepository repository = ApprovalRepository.in(handle);
            Optional<Answer> standing = repository.findCovering(question);
            if (standing.isEmpty() && watcher.open() >= MAX_OPEN) {
                checkRoom(repository, question.call().caller());
            }
            return standing.isPresent() ? new Reply.Settled(standing.get()) : ask(repository, question, lifetime);
        }));
    }

    @Override
    public Optional<Approved> approved(RequestKey key) {
        Optional<ApprovalRepository.ApprovedRow> found = withPermit(
                () -> statements.run(handle -> ApprovalRepository.in(handle).approved(key)));
        return found.flatMap(row -> Optional.ofNullable(row.answer())
                .map(answer -> new Approved(question(row.id(), row.expiresAt()), answer)));
    }

    // Held calls are stored with all arguments, so an unlimited number could fill the database.
    private static void checkRoom(ApprovalRepository repository, Caller caller) {
        if (repository.countOpen(caller.tenant()) >= MAX_OPEN) {
            throw new Unavailable("Too many calls are waiting for approval; answer some of them first.", null);
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
                    throw new RequestKeys.Taken(); // rolls the request back
                }
                LOG.info(
                        "Call {} of agent {} needs approval of tool '{}'",
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

    Optional<Answer> await(UUID id, Duration timeout) throws InterruptedException {
        Optional<Answer> answer = Optional.empty();
        try {
            answer = waiting.await(id, timeout);
            return answer;
        } finally {
            if (answer.isEmpty()) {
                updates.leave(id); // another instance may continue it
            }
        }
    }

    boolean claim(UUID id) {
        return withPermit(
                () -> statements.run(handle -> ApprovalRepository.in(handle).claim(id, instance)));
    }

    void giveBack(UUID id) {
        updates.giveBack(id);
    }

    void ended(UUID id) {
        updates.end(id);
    }

    void withdraw(UUID id) {
        try {
            boolean _ = withPermit(() -> statements.run(handle -> {
                ApprovalRepository.in(handle).withdraw(List.of(id), instance);
                return true;
            }));
        } catch (Unavailable later) {
            updates.withdraw(id);
        }
    }

    private <T> T withPermit(Supplier<T> work) {
        try {
            if (!permits.tryAcquire(PERMIT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Unavailable("Too many approval requests are being stored; try again shortly.", null);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Unavailable("The call was interrupted while its approval was requested.", interrupted);
        }
        try {
            return work.get();
        } finally {
            permits.release();
        }
    }

    /** Lets this instance continue answered calls that no other instance continues. */
    public void resumeWith(HeldCallResumer resumer) {
        watcher.resumeWith(resumer);
    }

    /** The feed of approval events. */
    public ApprovalFeed feed() {
        return feed;
    }

    /** The number of open requests of all tenants, as of the last poll. */
    public int open() {
        return watcher.open();
    }

    /**
     * Releases all waiting callers with an error; their requests stay open, so that other instances can continue them.
     */
    public void leave() {
        waiting.stop();
        watcher.resumeWith(HeldCallResumer.NONE);
    }

    /** Stops; other instances continue the calls that are still held. */
    @Override
    public void close() {
        leave();
        watching.close();
    }
}
