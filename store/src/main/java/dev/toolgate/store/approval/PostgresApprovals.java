package dev.toolgate.store.approval;

import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallJson;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.Sessions;
import dev.toolgate.store.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions in PostgreSQL. One thread of this instance looks for the answers to all questions it waits for, told by
 * notifications when to look and looking all the same when none arrive.
 */
public final class PostgresApprovals implements Approvals, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresApprovals.class);
    // Those who ask wait here and not for the pool, which others need as well.
    private static final int AT_ONCE = 6;
    private static final Duration TURN = Duration.ofSeconds(10);
    private static final int MOST_OPEN = 10_000;

    private static final String ASK = """
            WITH asked AS (
                INSERT INTO approvals (tenant_id, request_id, agent_id, session_id, workspace_id, principal, project_id,
                    operation, tool_name, arguments, masked_characters, arguments_digest, held_call, reason, approval_rule_id, preview,
                    expires_at, waiter, ends_with_waiter, causes, approvers_needed, caller_may_approve)
                VALUES (:tenant, :request, :agent, :session, :workspace, :principal, :project, :operation, :tool,
                    :arguments, :masked, decode(:digest, 'hex'), :call, :reason, :rule, :preview,
                    now() + make_interval(secs => :seconds), :waiter::uuid, :ends_with_waiter, :causes::jsonb, :approvers,
                    :caller_may_approve)
                ON CONFLICT (tenant_id, agent_id, request_id) WHERE ended_at IS NULL DO UPDATE SET
                    expires_at = CASE WHEN approvals.arguments_digest = excluded.arguments_digest
                            AND approvals.verdict IS NULL AND approvals.expires_at > now()
                        THEN greatest(approvals.expires_at, excluded.expires_at) ELSE approvals.expires_at END,
                    waiter = CASE WHEN approvals.arguments_digest = excluded.arguments_digest
                            AND approvals.claimed_at IS NULL
                        THEN coalesce(excluded.waiter, approvals.waiter) ELSE approvals.waiter END
                RETURNING approval_id, expires_at, arguments_digest, xmax = 0 AS fresh)
            SELECT approval_id, expires_at, arguments_digest = decode(:digest, 'hex') AS same,
                fresh, CASE WHEN fresh THEN pg_notify('toolgate_approvals', '') END
            FROM asked""";

    /** Only where no other call has it; what an earlier question of the same call has left is taken over. */
    private static final String TAKE_KEY = """
            INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, held_by)
            VALUES (:tenant, :agent, :request, decode(:digest, 'hex'), :question)
            ON CONFLICT (tenant_id, agent_id, request_id) DO UPDATE SET held_by = excluded.held_by
            WHERE request_keys.held_by IS NOT NULL AND request_keys.completed_at IS NULL
              AND request_keys.body_digest = excluded.body_digest""";

    private static final String STANDING = """
            SELECT granted_by, reason, created_at FROM standing_approvals
            WHERE tenant_id = :tenant AND agent_id = :agent AND tool_name = :tool AND revoked_at IS NULL
              AND (session_id IS NULL OR session_id = :session) AND (expires_at IS NULL OR expires_at > now())
              AND causes @> :causes::jsonb AND cardinality(granters) >= :approvers
              AND (:caller_may_approve OR :principal <> ALL (granters))
            ORDER BY created_at LIMIT 1""";

    private final UUID instance = UUID.randomUUID();
    private final Statements statements;
    private final Semaphore turns = new Semaphore(AT_ONCE, true);
    private final WaitingQuestions waiting = new WaitingQuestions();
    private final Afterwards afterwards = new Afterwards();
    private final ApprovalFeed feed;
    private final ApprovalWatcher watcher;

    /**
     * @param sessions one connection is kept for good
     */
    public PostgresApprovals(Jdbi jdbi, Sessions sessions) {
        this.statements = new Statements(jdbi);
        this.feed = new ApprovalFeed(statements);
        this.watcher = new ApprovalWatcher(instance, sessions, waiting, afterwards, feed, this::question);
    }

    @Override
    public Reply ask(Question question, Duration lifetime) {
        Call call = question.call();
        return inTurn(() -> statements.runTogether(handle -> {
            Optional<Answer> standing = standing(handle, question);
            if (standing.isEmpty() && watcher.open() >= MOST_OPEN) {
                checkRoom(handle, call.caller());
            }
            return standing.isPresent() ? new Reply.Settled(standing.get()) : ask(handle, question, lifetime);
        }));
    }

    // Held calls are kept whole, so a tenant that asks without end would fill the database.
    private static void checkRoom(Handle handle, Caller caller) {
        int open = handle.createQuery("SELECT count(*) FROM approvals WHERE tenant_id = :tenant AND verdict IS NULL")
                .bind("tenant", caller.tenant().value())
                .mapTo(int.class)
                .one();
        if (open >= MOST_OPEN) {
            throw new Unavailable("Too many calls wait for an approval; answer some of them first.", null);
        }
    }

    private static Optional<Answer> standing(Handle handle, Question question) {
        Caller caller = question.call().caller();
        SessionId session = caller.session();
        return handle.createQuery(STANDING)
                .bind("tenant", caller.tenant().value())
                .bind("agent", caller.agent().value())
                .bind("tool", question.tool())
                .bind("session", session == null ? null : session.value())
                .bind("causes", ApprovalRows.json(question.causes()))
                .bind("approvers", question.terms().approvers())
                .bind("caller_may_approve", callerMayApprove(question))
                .bind("principal", caller.principal())
                .map((row, _) -> new Answer(
                        Verdict.APPROVED,
                        row.getString("granted_by"),
                        row.getString("reason"),
                        ApprovalRows.time(row, "created_at")))
                .findOne();
    }

    private static boolean callerMayApprove(Question question) {
        return question.terms().approver() == ApprovalTerms.Approver.ANYBODY;
    }

    private Reply ask(Handle handle, Question question, Duration lifetime) {
        Call call = question.call();
        SessionId session = call.caller().session();
        return handle.createQuery(ASK)
                .bind("tenant", call.caller().tenant().value())
                .bind("request", call.requestId().value())
                .bind("agent", call.caller().agent().value())
                .bind("session", session == null ? null : session.value())
                .bind("workspace", call.caller().workspace().value())
                .bind("principal", call.caller().principal())
                .bind("project", ApprovalRows.storable(call.project()))
                .bind("operation", ApprovalRows.storable(call.operation()))
                .bind("tool", question.tool())
                .bind("arguments", question.arguments().toString())
                .bind("masked", question.maskedCharacters())
                .bind("digest", question.key().digest())
                .bind("call", CallJson.write(call))
                .bind("reason", ApprovalRows.storable(question.reason()))
                .bind("rule", ApprovalRows.storable(question.approvalRuleId()))
                .bind("preview", ApprovalRows.storable(question.preview()))
                .bind("seconds", lifetime.toMillis() / 1000.0)
                .bind("waiter", call.whenHeld() == Call.WhenHeld.RETURN ? null : instance)
                .bind("ends_with_waiter", call.whenHeld() == Call.WhenHeld.WAIT_OR_WITHDRAW)
                .bind("causes", ApprovalRows.json(question.causes()))
                .bind("approvers", question.terms().approvers())
                .bind("caller_may_approve", callerMayApprove(question))
                .map((row, _) -> reply(handle, row, question))
                .one();
    }

    private Reply reply(Handle handle, ResultSet row, Question question) throws SQLException {
        if (row.getBoolean("fresh")) {
            takeKey(handle, question.key(), row.getObject("approval_id", UUID.class));
            LOG.info(
                    "Call {} of agent {} waits for an approval of tool '{}'",
                    question.call().requestId(),
                    question.call().caller().agent(),
                    question.tool());
        }
        return row.getBoolean("same")
                ? new Reply.Asked(question(row.getObject("approval_id", UUID.class), row))
                : new Reply.OtherCall();
    }

    private static void takeKey(Handle handle, RequestKey key, UUID question) {
        int taken = handle.createUpdate(TAKE_KEY)
                .bind("tenant", key.tenant().value())
                .bind("agent", key.agent().value())
                .bind("request", key.requestId().value())
                .bind("digest", key.digest())
                .bind("question", question)
                .execute();
        if (taken == 0) {
            throw new RequestKeys.Taken(); // which undoes the question
        }
    }

    private PostgresQuestion question(UUID id, ResultSet row) throws SQLException {
        return new PostgresQuestion(id, ApprovalRows.time(row, "expires_at"), this);
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
        return inTurn(() -> statements.run(handle -> handle.createUpdate("""
                                UPDATE approvals SET claimed_by = :me, claimed_at = now(), waiter = :me
                                WHERE approval_id = :id AND verdict = 'APPROVED' AND claimed_at IS NULL
                                  AND ended_at IS NULL""")
                        .bind("me", instance)
                        .bind("id", id)
                        .execute()))
                == 1;
    }

    void giveBack(UUID id) {
        afterwards.giveBack(id);
    }

    void ended(UUID id) {
        afterwards.end(id);
    }

    void withdraw(UUID id) {
        try {
            int _ = inTurn(() -> statements.run(handle -> handle.createUpdate(Afterwards.WITHDRAW + " = :id")
                    .bind("me", instance)
                    .bind("id", id)
                    .execute()));
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
        watcher.close();
    }
}
