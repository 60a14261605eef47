package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalDesk.Say;
import dev.toolgate.core.approval.ApprovalDesk.Scope;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.StandingApproval;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallJson;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.record.AuditTables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Held calls in PostgreSQL: every statement on the tables {@code approvals}, {@code approval_yeses} and
 * {@code standing_approvals}, and with that every state a held call can be in and every way from one to another.
 * Each transition is one guarded update, so that of several who attempt it at once one succeeds.
 *
 * <pre>
 * state     columns
 * OPEN      verdict is null
 * ANSWERED  verdict is set, claimed_at and ended_at are null
 * CLAIMED   claimed_at is set, ended_at is null
 * ENDED     ended_at is set; the call itself (held_call) is removed
 *
 * from            to        method             who, and what guards it
 * (none)          OPEN      ask                the pipeline; one per tenant, agent and request id until it ends
 * OPEN            OPEN      ask                the same call again: joins, may expire later
 * OPEN            ANSWERED  answer             a person, holding the row lock of {@link #lock}
 * OPEN            ANSWERED  expire             anybody, once expires_at is over by the clock of the database
 * OPEN            ANSWERED  withdrawAbandoned  anybody, if the caller cannot come back and its instance is gone
 * OPEN, ANSWERED  CLAIMED   withdraw           the instance that waits; nobody can claim it afterwards
 * ANSWERED        CLAIMED   claim              one instance, if the verdict is APPROVED; it alone may run the call
 * CLAIMED         ANSWERED  giveBack           the instance that claimed it and did not run it
 * CLAIMED         CLAIMED   takeOverClaimed    another instance, if the one that claimed it is gone
 * any             ENDED     end                whoever has recorded the outcome
 * not OPEN        ENDED     endRecorded        anybody, if the outcome is found on record
 * ENDED           (none)    deleteEnded        retention
 * </pre>
 *
 * The column {@code waiter} is the instance that continues the call once it is answered. It is set by {@link #ask}
 * and {@link #takeOverAnswered}, and removed by {@link #leave} and {@link #leaveAll}.
 */
public final class ApprovalRepository {
    /** Notified of every question and answer; the payload is empty, what has changed is found by looking. */
    static final String CHANNEL = "toolgate_approvals";

    /** An instance that was not seen for as long does not continue the calls it waits for. */
    private static final String MISSING = "3 seconds";
    /** An instance that was not seen for as long runs no calls and has no callers any more. */
    private static final String GONE = "15 seconds";
    /** An answered call is offered again if its instance did not claim it for as long. */
    private static final String UNCLAIMED = "30 seconds";
    /** The end of a call is left to whoever ran it for as long after the answer. */
    private static final String JUST_ANSWERED = "5 seconds";

    private static final int MOST_LISTED = 1000;
    private static final int DELETED_AT_ONCE = 10_000;
    private static final int MOST_EVENTS = 5000;

    private static final String COLUMNS = """
            approval_id, tenant_id, request_id, agent_id, session_id, workspace_id, principal, project_id, operation,
            tool_name, arguments, masked_characters, reason, approval_rule_id, preview, verdict, asked_at, expires_at, answered_at,
            answered_by, answer_reason, scope, causes, approvers_needed, caller_may_approve,
            (SELECT json_agg(json_build_object('by', said_by, 'reason', reason, 'at', said_at) ORDER BY said_at, said_by)
             FROM approval_yeses WHERE approval_yeses.approval_id = approvals.approval_id) AS yeses""";

    private static final String NOTIFY = "pg_notify('" + CHANNEL + "', '')";

    // ---- OPEN

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
                fresh, CASE WHEN fresh THEN %s END
            FROM asked""".formatted(NOTIFY);

    /** Only where no other call has the key; what an earlier question of the same call has left is taken over. */
    private static final String TAKE_KEY = """
            INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, held_by)
            VALUES (:tenant, :agent, :request, decode(:digest, 'hex'), :question)
            ON CONFLICT (tenant_id, agent_id, request_id) DO UPDATE SET held_by = excluded.held_by
            WHERE request_keys.held_by IS NOT NULL AND request_keys.completed_at IS NULL
              AND request_keys.body_digest = excluded.body_digest""";

    /** A call that was held and did not begin has its key again. */
    private static final String HOLD_AGAIN = """
            UPDATE request_keys k SET held_by = a.approval_id
            FROM unnest(?::text[], ?::text[], ?::text[]) AS row (tenant_id, agent_id, request_id), approvals a
            WHERE k.tenant_id = row.tenant_id AND k.agent_id = row.agent_id AND k.request_id = row.request_id
              AND k.completed_at IS NULL AND a.tenant_id = k.tenant_id AND a.agent_id = k.agent_id
              AND a.request_id = k.request_id AND a.arguments_digest = k.body_digest AND a.ended_at IS NULL""";

    private static final String COUNT_OPEN = "SELECT count(*) FROM approvals WHERE verdict IS NULL";
    private static final String COUNT_OPEN_OF_TENANT = COUNT_OPEN + " AND tenant_id = :tenant";

    // ---- OPEN to ANSWERED

    private static final String LOCK = "SELECT " + COLUMNS + """
            , verdict IS NULL AND expires_at > now() AS open
            FROM approvals WHERE tenant_id = :tenant AND approval_id = :id FOR UPDATE OF approvals""";

    private static final String ADD_YES = """
            INSERT INTO approval_yeses (approval_id, said_by, reason, scope, until)
            VALUES (:id, :by, :reason, :scope, :until) ON CONFLICT DO NOTHING""";

    private static final String ANSWER = """
            UPDATE approvals SET verdict = :verdict, answered_at = now(), answered_by = :by, answer_reason = :reason,
                scope = :scope
            WHERE tenant_id = :tenant AND approval_id = :id
            RETURNING
            """ + COLUMNS;

    private static final String EXPIRE_ONE = """
            UPDATE approvals SET verdict = 'TIMED_OUT', answered_at = now()
            WHERE tenant_id = :tenant AND approval_id = :id AND verdict IS NULL AND expires_at <= now()""";

    private static final String EXPIRE = """
            WITH over AS (
                UPDATE approvals SET verdict = 'TIMED_OUT', answered_at = now()
                WHERE verdict IS NULL AND expires_at <= now() RETURNING 1)
            SELECT %s FROM over LIMIT 1""".formatted(NOTIFY);

    // Later than answered calls are taken over: a caller that is only out of sight for a moment would lose its call.
    private static final String WITHDRAW_ABANDONED = """
            WITH abandoned AS (
                SELECT approval_id FROM approvals a
                WHERE ended_at IS NULL AND verdict IS NULL AND ends_with_waiter
                  AND (waiter IS NULL OR (:others_known AND waiter <> :me AND NOT EXISTS (
                      SELECT FROM instances i
                      WHERE i.instance_id = a.waiter AND i.seen_at > now() - interval '%s')))
                FOR UPDATE SKIP LOCKED)
            UPDATE approvals a SET verdict = 'WITHDRAWN', answered_at = now()
            FROM abandoned WHERE a.approval_id = abandoned.approval_id""".formatted(GONE);

    // ---- ANSWERED to CLAIMED, and back

    private static final String CLAIM = """
            UPDATE approvals SET claimed_by = :me, claimed_at = now(), waiter = :me
            WHERE approval_id = :id AND verdict = 'APPROVED' AND claimed_at IS NULL AND ended_at IS NULL""";

    private static final String WITHDRAW = """
            UPDATE approvals SET verdict = coalesce(verdict, 'WITHDRAWN'), answered_at = coalesce(answered_at, now()),
                claimed_by = CASE WHEN claimed_at IS NULL THEN :me ELSE claimed_by END,
                claimed_at = coalesce(claimed_at, now())
            WHERE ended_at IS NULL AND approval_id = ANY (:ids::uuid[])""";

    private static final String GIVE_BACK = """
            UPDATE approvals SET claimed_by = NULL, claimed_at = NULL
            WHERE ended_at IS NULL AND approval_id = ANY (:ids::uuid[])""";

    // Only where this instance is the waiter: another may have taken over in between.
    private static final String LEAVE = """
            UPDATE approvals SET waiter = NULL
            WHERE claimed_at IS NULL AND ended_at IS NULL AND waiter = :me AND approval_id = ANY (:ids::uuid[])""";

    private static final String LEAVE_ALL =
            "UPDATE approvals SET waiter = NULL WHERE waiter = :me AND ended_at IS NULL AND claimed_at IS NULL";

    private static final String HELD_CALL =
            "a.approval_id, a.held_call, a.expires_at, a.verdict, a.answered_at, a.answered_by, a.answer_reason";

    // Also a call that its instance did not claim for long, as when that could not reach the database.
    private static final String TAKE_OVER_ANSWERED = """
            WITH due AS (
                SELECT approval_id FROM approvals a
                WHERE ended_at IS NULL AND verdict IS NOT NULL AND claimed_at IS NULL
                  AND (waiter IS NULL
                      OR greatest(answered_at, adopted_at) < now() - interval '%s'
                      OR (:others_known AND NOT EXISTS (
                          SELECT FROM instances i
                          WHERE i.instance_id = a.waiter AND i.seen_at > now() - interval '%s')))
                ORDER BY answered_at LIMIT :limit FOR UPDATE SKIP LOCKED)
            UPDATE approvals a SET waiter = :me, adopted_at = now() FROM due WHERE a.approval_id = due.approval_id
            RETURNING %s""".formatted(UNCLAIMED, MISSING, HELD_CALL);

    private static final String TAKE_OVER_CLAIMED = """
            WITH cut AS (
                SELECT approval_id FROM approvals a
                WHERE ended_at IS NULL AND claimed_at IS NOT NULL AND verdict IS NOT NULL AND NOT EXISTS (
                      SELECT FROM instances i
                      WHERE i.instance_id = a.claimed_by AND i.seen_at > now() - interval '%s')
                ORDER BY answered_at LIMIT :limit FOR UPDATE SKIP LOCKED)
            UPDATE approvals a SET claimed_by = :me FROM cut WHERE a.approval_id = cut.approval_id
            RETURNING %s""".formatted(GONE, HELD_CALL);

    // ---- ENDED

    private static final String END = """
            UPDATE approvals SET ended_at = coalesce(ended_at, now()), held_call = NULL
            WHERE approval_id = ANY (:ids::uuid[])""";

    private static final String END_RECORDED = """
            UPDATE approvals a SET ended_at = now(), held_call = NULL FROM request_keys k
            WHERE a.ended_at IS NULL AND a.verdict IS NOT NULL AND a.answered_at < now() - interval '%s'
              AND k.tenant_id = a.tenant_id AND k.agent_id = a.agent_id AND k.request_id = a.request_id
              AND k.body_digest = a.arguments_digest AND k.completed_at IS NOT NULL""".formatted(JUST_ANSWERED);

    private static final String DELETE_ENDED = """
            DELETE FROM approvals WHERE approval_id = ANY (ARRAY(
                SELECT approval_id FROM approvals
                WHERE ended_at IS NOT NULL AND asked_at < now() - make_interval(secs => :age) LIMIT :rows))""";

    // ---- reading

    private static final String FIND =
            "SELECT " + COLUMNS + " FROM approvals WHERE tenant_id = :tenant AND approval_id = :id";

    private static final String LIST = "SELECT " + COLUMNS + " " + """
            FROM approvals WHERE tenant_id = :tenant
              AND (:state::text IS NULL OR coalesce(verdict, 'PENDING') = :state)
              AND (:agent::text IS NULL OR agent_id = :agent) AND (:tool::text IS NULL OR tool_name = :tool)
              AND (:principal::text IS NULL OR principal = :principal)
              AND (:after::uuid IS NULL OR (asked_at, approval_id) < (
                  SELECT asked_at, approval_id FROM approvals WHERE tenant_id = :tenant AND approval_id = :after::uuid))
            ORDER BY asked_at DESC, approval_id DESC LIMIT :limit""";

    private static final String RECENT = "SELECT " + COLUMNS + """
            , asked_at > now() - make_interval(secs => :seconds) AS is_new FROM approvals
            WHERE asked_at > now() - make_interval(secs => :seconds)
               OR answered_at > now() - make_interval(secs => :seconds)
            ORDER BY coalesce(answered_at, asked_at) DESC LIMIT :limit""";

    private static final String ANSWERS = """
            SELECT approval_id, verdict, answered_at, answered_by, answer_reason FROM approvals
            WHERE approval_id = ANY (:ids::uuid[]) AND verdict IS NOT NULL""";

    // Whose call it is stands in the question, in the record or in the intent. The outcome is tied to a question by the
    // digest of its call.
    private static final String FIND_CALLS = """
            WITH call AS (
                SELECT 1 AS rank, agent_id, tool_name, asked_at AS at, approval_id, verdict IS NULL AS pending, expires_at,
                    ended_at IS NOT NULL AS ended, arguments_digest AS digest
                FROM approvals WHERE tenant_id = :tenant AND request_id = :request
                UNION ALL
                SELECT 2, agent_id, tool_name, timestamp, NULL, false, NULL, true, NULL FROM %s
                WHERE tenant_id = :tenant AND request_id = :request
                UNION ALL
                SELECT 3, agent_id, tool_name, timestamp, NULL, false, NULL, false, NULL FROM tool_intents
                WHERE tenant_id = :tenant AND request_id = :request),
            newest AS (
                SELECT DISTINCT ON (agent_id) * FROM call WHERE :agent::text IS NULL OR agent_id = :agent
                ORDER BY agent_id, rank, at DESC)
            SELECT newest.agent_id, newest.tool_name, newest.approval_id, newest.pending, newest.expires_at,
                newest.ended OR k.completed_at IS NOT NULL AS completed, k.outcome,
                ARRAY(SELECT DISTINCT tool_name FROM call WHERE call.agent_id = newest.agent_id) AS tools
            FROM newest LEFT JOIN request_keys k ON k.tenant_id = :tenant AND k.agent_id = newest.agent_id
                AND k.request_id = :request AND (newest.digest IS NULL OR k.body_digest = newest.digest)
            ORDER BY newest.agent_id""".formatted(AuditTables.ALL);

    // ---- standing approvals

    private static final String FIND_COVERING = """
            SELECT granted_by, reason, created_at FROM standing_approvals
            WHERE tenant_id = :tenant AND agent_id = :agent AND tool_name = :tool AND revoked_at IS NULL
              AND (session_id IS NULL OR session_id = :session) AND (expires_at IS NULL OR expires_at > now())
              AND causes @> :causes::jsonb AND cardinality(granters) >= :approvers
              AND (:caller_may_approve OR :principal <> ALL (granters))
            ORDER BY created_at LIMIT 1""";

    private static final String ADD_STANDING = """
            INSERT INTO standing_approvals
                (tenant_id, agent_id, tool_name, session_id, approval_id, granted_by, reason, expires_at, causes,
                 granters)
            SELECT tenant_id, agent_id, :tool, :session, :approval, :by, :reason,
                (SELECT min(until) FROM approval_yeses WHERE approval_id = :approval),
                (SELECT causes FROM approvals WHERE approval_id = :approval),
                ARRAY(SELECT said_by FROM approval_yeses WHERE approval_id = :approval ORDER BY said_at, said_by)
            FROM agents WHERE tenant_id = :tenant AND agent_id = :agent""";

    private static final String LIST_STANDING = """
            SELECT * FROM standing_approvals
            WHERE tenant_id = :tenant AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
              AND (:after::uuid IS NULL OR (created_at, standing_id) < (
                  SELECT created_at, standing_id FROM standing_approvals
                  WHERE tenant_id = :tenant AND standing_id = :after::uuid))
            ORDER BY created_at DESC, standing_id DESC LIMIT :limit""";

    private static final String FIND_STANDING = """
            SELECT * FROM standing_approvals
            WHERE tenant_id = :tenant AND standing_id = :id AND revoked_at IS NULL""";

    private static final String REVOKE_STANDING = """
            UPDATE standing_approvals SET revoked_at = now(), revoked_by = :by
            WHERE tenant_id = :tenant AND standing_id = :id AND revoked_at IS NULL""";

    private static final String DELETE_STANDING = """
            DELETE FROM standing_approvals WHERE standing_id = ANY (ARRAY(
                SELECT standing_id FROM standing_approvals
                WHERE least(revoked_at, expires_at) < now() - make_interval(secs => :age) LIMIT :rows))""";

    private final Handle handle;

    private ApprovalRepository(Handle handle) {
        this.handle = handle;
    }

    /** The tables, seen through a connection or within a transaction. */
    static ApprovalRepository in(Handle handle) {
        return new ApprovalRepository(handle);
    }

    /** What {@link #ask} stored or found. */
    record Asked(UUID id, Instant expiresAt, Join join) {
        /** How the question came to be. */
        enum Join {
            /** It was stored just now. */
            NEW,
            /** The same call has asked before. */
            SAME_CALL,
            /** Another call that is held has this request id. */
            OTHER_CALL
        }
    }

    /** A question and whether it can still be answered; nobody else can answer it before this transaction ends. */
    record Locked(ApprovalRequest request, boolean open) {}

    /** An answer to one question. */
    record Answered(UUID id, Approvals.Answer answer) {}

    /**
     * A call that this instance has taken over.
     *
     * @param call as {@link CallJson} wrote it; {@code null} if it is missing
     * @param answer {@code null} if it is missing
     */
    record TakenOver(UUID id, Instant expiresAt, @Nullable String call, Approvals.@Nullable Answer answer) {}

    // ---- OPEN

    /**
     * Stores a question, or joins that of the same call.
     *
     * @param waiter the instance that waits for the answer; {@code null} if nobody does
     */
    Asked ask(Approvals.Question question, Duration lifetime, @Nullable UUID waiter) {
        Call call = question.call();
        return withTerms(handle.createQuery(ASK), question)
                .bind("request", call.requestId().value())
                .bind("workspace", call.caller().workspace().value())
                .bind("project", ApprovalRows.storable(call.project()))
                .bind("operation", ApprovalRows.storable(call.operation()))
                .bind("arguments", question.arguments().toString())
                .bind("masked", question.maskedCharacters())
                .bind("digest", question.key().digest())
                .bind("call", CallJson.write(call))
                .bind("reason", ApprovalRows.storable(question.reason()))
                .bind("rule", ApprovalRows.storable(question.approvalRuleId()))
                .bind("preview", ApprovalRows.storable(question.preview()))
                .bind("seconds", lifetime.toMillis() / 1000.0)
                .bind("waiter", waiter)
                .bind("ends_with_waiter", call.whenHeld() == Call.WhenHeld.WAIT_OR_WITHDRAW)
                .map((row, _) -> new Asked(
                        row.getObject("approval_id", UUID.class),
                        ApprovalRows.time(row, "expires_at"),
                        row.getBoolean("fresh")
                                ? Asked.Join.NEW
                                : row.getBoolean("same") ? Asked.Join.SAME_CALL : Asked.Join.OTHER_CALL))
                .one();
    }

    /** Takes the key of a held call; false if another call has it. */
    boolean takeKey(RequestKey key, UUID question) {
        return handle.createUpdate(TAKE_KEY)
                        .bind("tenant", key.tenant().value())
                        .bind("agent", key.agent().value())
                        .bind("request", key.requestId().value())
                        .bind("digest", key.digest())
                        .bind("question", question)
                        .execute()
                == 1;
    }

    /**
     * Gives keys back to held calls that took them over to run and did not begin; keys without a held call stay as they
     * are. The lists have one entry per key.
     */
    public static void holdKeysAgain(
            Connection connection, List<String> tenants, List<String> agents, List<String> requests)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(HOLD_AGAIN)) {
            update.setArray(1, connection.createArrayOf("text", tenants.toArray()));
            update.setArray(2, connection.createArrayOf("text", agents.toArray()));
            update.setArray(3, connection.createArrayOf("text", requests.toArray()));
            update.executeUpdate();
        }
    }

    /** How many questions of all tenants are open. */
    int countOpen() {
        return handle.createQuery(COUNT_OPEN).mapTo(int.class).one();
    }

    int countOpen(TenantId tenant) {
        return handle.createQuery(COUNT_OPEN_OF_TENANT)
                .bind("tenant", tenant.value())
                .mapTo(int.class)
                .one();
    }

    // ---- OPEN to ANSWERED

    /** Others who answer the same question wait until this transaction ends. */
    Optional<Locked> lock(TenantId tenant, UUID id) {
        return handle.createQuery(LOCK)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> new Locked(ApprovalRows.request(row), row.getBoolean("open")))
                .findOne();
    }

    /** Notes that somebody said yes; false if they did before. */
    boolean addYes(UUID id, Say say) {
        return handle.createUpdate(ADD_YES)
                        .bind("id", id)
                        .bind("by", say.by())
                        .bind("reason", ApprovalRows.storable(say.reason()))
                        .bind("scope", say.scope().wireName())
                        .bind("until", say.until())
                        .execute()
                == 1;
    }

    /** As far as all who said yes want it to reach. */
    Scope scopeOfYeses(UUID id) {
        List<String> scopes = handle.createQuery("SELECT scope FROM approval_yeses WHERE approval_id = :id")
                .bind("id", id)
                .mapTo(String.class)
                .list();
        return scopes.stream()
                .map(scope -> Scope.valueOf(scope.toUpperCase(Locale.ROOT)))
                .reduce(Scope::and)
                .orElse(Scope.ONCE);
    }

    /**
     * Answers a question that this transaction has locked.
     *
     * @param by everybody whose answer counted
     * @param scope {@code null} for a no
     */
    ApprovalRequest answer(TenantId tenant, UUID id, Say say, String by, @Nullable Scope scope) {
        return handle.createQuery(ANSWER)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .bind("verdict", say.yesOrNo().verdict().name())
                .bind("by", by)
                .bind("reason", ApprovalRows.storable(say.reason()))
                .bind("scope", scope == null ? null : scope.wireName())
                .map((row, _) -> ApprovalRows.request(row))
                .one();
    }

    /** Has every instance look at once. */
    void announce() {
        handle.execute("SELECT " + NOTIFY);
    }

    /** Ends one question if its time is over. */
    void expire(TenantId tenant, UUID id) {
        handle.createUpdate(EXPIRE_ONE)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .execute();
    }

    /** Ends every question whose time is over. */
    void expire() {
        handle.execute(EXPIRE);
    }

    /**
     * Withdraws questions whose callers are gone and cannot come back.
     *
     * @param others whether it is known which other instances are there
     */
    void withdrawAbandoned(UUID me, Others others) {
        handle.createUpdate(WITHDRAW_ABANDONED)
                .bind("me", me)
                .bind("others_known", others == Others.KNOWN)
                .execute();
    }

    /** Whether it is known which other instances are there: after an outage nobody has been seen for a while. */
    enum Others {
        KNOWN,
        UNKNOWN
    }

    // ---- ANSWERED to CLAIMED, and back

    /** Takes a yes, so that this instance alone may run the call; false if it cannot be taken. */
    boolean claim(UUID id, UUID me) {
        return handle.createUpdate(CLAIM).bind("me", me).bind("id", id).execute() == 1;
    }

    /** From now on nobody can claim these. */
    void withdraw(Collection<UUID> ids, UUID me) {
        handle.createUpdate(WITHDRAW)
                .bind("me", me)
                .bindArray("ids", UUID.class, ids)
                .execute();
    }

    /** These were claimed and not run, so that another may claim them. */
    void giveBack(Collection<UUID> ids) {
        handle.createUpdate(GIVE_BACK).bindArray("ids", UUID.class, ids).execute();
    }

    /** This instance does not wait for these any more. */
    void leave(Collection<UUID> ids, UUID me) {
        handle.createUpdate(LEAVE)
                .bind("me", me)
                .bindArray("ids", UUID.class, ids)
                .execute();
    }

    /** This instance waits for nothing any more. */
    void leaveAll(UUID me) {
        handle.createUpdate(LEAVE_ALL).bind("me", me).execute();
    }

    /** Makes this instance the waiter of answered calls that nobody continues. */
    List<TakenOver> takeOverAnswered(UUID me, int limit, Others others) {
        return takenOver(handle.createQuery(TAKE_OVER_ANSWERED)
                .bind("others_known", others == Others.KNOWN)
                .bind("me", me)
                .bind("limit", limit));
    }

    /** Takes over claimed calls of instances that are gone; they must not run again. */
    List<TakenOver> takeOverClaimed(UUID me, int limit) {
        return takenOver(handle.createQuery(TAKE_OVER_CLAIMED).bind("me", me).bind("limit", limit));
    }

    private static List<TakenOver> takenOver(Query query) {
        return query.map((row, _) -> new TakenOver(
                        row.getObject("approval_id", UUID.class),
                        ApprovalRows.time(row, "expires_at"),
                        row.getString("held_call"),
                        ApprovalRows.answer(row)))
                .list();
    }

    // ---- ENDED

    /** The outcomes of these are on record. */
    void end(Collection<UUID> ids) {
        handle.createUpdate(END).bindArray("ids", UUID.class, ids).execute();
    }

    /** Ends what is found to have an outcome on record, as when its instance died before it could say so. */
    void endRecorded() {
        handle.execute(END_RECORDED);
    }

    /** Deletes some ended questions that are older; returns how many, and is to be repeated while it is not zero. */
    int deleteEnded(Duration age) {
        return delete(DELETE_ENDED, age);
    }

    // ---- reading

    Optional<ApprovalRequest> find(TenantId tenant, UUID id) {
        return handle.createQuery(FIND)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> ApprovalRows.request(row))
                .findOne();
    }

    List<ApprovalRequest> list(TenantId tenant, ApprovalDesk.Filter filter, @Nullable UUID after, int limit) {
        return handle.createQuery(LIST)
                .bind("tenant", tenant.value())
                .bind("state", filter.state() == null ? null : filter.state().name())
                .bind("agent", filter.agent() == null ? null : filter.agent().value())
                .bind("tool", filter.tool())
                .bind("principal", filter.principal())
                .bind("after", after)
                .bind("limit", Math.clamp(limit, 1, MOST_LISTED))
                .map((row, _) -> ApprovalRows.request(row))
                .list();
    }

    /** What was asked or answered in the last seconds, in no particular order. */
    List<ApprovalEvent> recent(int seconds) {
        List<List<ApprovalEvent>> found = handle.createQuery(RECENT)
                .bind("seconds", seconds)
                .bind("limit", MOST_EVENTS)
                .map((row, _) -> ApprovalEvent.of(ApprovalRows.request(row), row.getBoolean("is_new")))
                .list();
        return found.stream().flatMap(List::stream).toList();
    }

    /** The answers to those of these questions that are answered. */
    List<Answered> answers(Collection<UUID> ids) {
        return handle.createQuery(ANSWERS)
                .bindArray("ids", UUID.class, ids)
                .map((row, _) -> new Answered(
                        row.getObject("approval_id", UUID.class), ApprovalRows.given(ApprovalRows.answer(row))))
                .list();
    }

    /** What is known of the calls under a request id; see {@link CollectedCalls#find}. */
    List<CollectedCalls.Collected> findCalls(TenantId tenant, RequestId request, @Nullable AgentId agent) {
        return handle.createQuery(FIND_CALLS)
                .bind("tenant", tenant.value())
                .bind("request", request.value())
                .bind("agent", agent == null ? null : agent.value())
                .map((row, _) -> ApprovalRows.collected(row))
                .list();
    }

    // ---- standing approvals

    /** The answer of a standing approval that covers a question, if there is one. */
    Optional<Approvals.Answer> findCovering(Approvals.Question question) {
        return withTerms(handle.createQuery(FIND_COVERING), question)
                .map((row, _) -> new Approvals.Answer(
                        Approvals.Verdict.APPROVED,
                        row.getString("granted_by"),
                        row.getString("reason"),
                        ApprovalRows.time(row, "created_at")))
                .findOne();
    }

    /** What a question and a standing approval that covers it have in common. */
    private static Query withTerms(Query query, Approvals.Question question) {
        Caller caller = question.call().caller();
        SessionId session = caller.session();
        return query.bind("tenant", caller.tenant().value())
                .bind("agent", caller.agent().value())
                .bind("session", session == null ? null : session.value())
                .bind("principal", caller.principal())
                .bind("tool", question.tool())
                .bind("causes", ApprovalRows.json(question.causes()))
                .bind("approvers", question.terms().approvers())
                .bind("caller_may_approve", question.terms().approver() == ApprovalTerms.Approver.ANYBODY);
    }

    /** Adds a standing approval; false if there is no such agent. */
    boolean addStanding(ApprovalRequest request, @Nullable SessionId session, Say say) {
        return handle.createUpdate(ADD_STANDING)
                        .bind("tenant", request.caller().tenant().value())
                        .bind("agent", request.caller().agent().value())
                        .bind("tool", request.tool())
                        .bind("session", session == null ? null : session.value())
                        .bind("approval", request.id())
                        .bind(
                                "by",
                                request.answer() == null
                                        ? say.by()
                                        : request.answer().by())
                        .bind("reason", ApprovalRows.storable(say.reason()))
                        .execute()
                == 1;
    }

    List<StandingApproval> listStanding(TenantId tenant, @Nullable UUID after, int limit) {
        return handle.createQuery(LIST_STANDING)
                .bind("tenant", tenant.value())
                .bind("after", after)
                .bind("limit", Math.clamp(limit, 1, MOST_LISTED))
                .map((row, _) -> ApprovalRows.standing(row))
                .list();
    }

    Optional<StandingApproval> findStanding(TenantId tenant, UUID id) {
        return handle.createQuery(FIND_STANDING)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> ApprovalRows.standing(row))
                .findOne();
    }

    boolean revokeStanding(TenantId tenant, UUID id, String by) {
        return handle.createUpdate(REVOKE_STANDING)
                        .bind("tenant", tenant.value())
                        .bind("id", id)
                        .bind("by", by)
                        .execute()
                == 1;
    }

    /** Deletes some standing approvals that ended before; to be repeated as {@link #deleteEnded}. */
    int deleteStanding(Duration age) {
        return delete(DELETE_STANDING, age);
    }

    private int delete(String deletion, Duration age) {
        return handle.createUpdate(deletion)
                .bind("age", (double) age.toSeconds())
                .bind("rows", DELETED_AT_ONCE)
                .execute();
    }
}
