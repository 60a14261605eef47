package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalDesk.Scope;
import dev.toolgate.core.approval.ApprovalDesk.Vote;
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
import dev.toolgate.store.connection.Timestamps;
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
 * Held calls in PostgreSQL: all statements on the tables {@code approvals}, {@code approval_yeses} and
 * {@code standing_approvals}, and thus all states and transitions of a held call.
 * Each transition is one guarded update, so that only one of several concurrent attempts succeeds.
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
 * OPEN            ANSWERED  expire             any instance, after expires_at by the clock of the database
 * OPEN            ANSWERED  withdrawAbandoned  any instance, if the caller cannot return and its instance is dead
 * OPEN            ANSWERED  withdrawByCaller   the caller, which cancels it
 * OPEN, ANSWERED  CLAIMED   withdraw           the waiting instance; it cannot be claimed afterwards
 * ANSWERED        CLAIMED   claim              one instance, if the verdict is APPROVED; only it may run the call
 * CLAIMED         ANSWERED  giveBack           the instance that claimed it and did not run it
 * CLAIMED         CLAIMED   takeOverClaimed    another instance, if the one that claimed it is dead
 * any             ENDED     end                the instance that has recorded the outcome
 * not OPEN        ENDED     endRecorded        any instance, if the outcome is recorded
 * ENDED           (none)    deleteEnded        retention
 * </pre>
 *
 * The column {@code waiter} is the instance that continues the call once it is answered. It is set by {@link #ask}
 * and {@link #takeOverAnswered}, and removed by {@link #leave} and {@link #leaveAll}.
 */
public final class ApprovalRepository {
    /** Notified of every request and answer; the payload is empty, listeners query for changes. */
    static final String CHANNEL = "toolgate_approvals";

    /** After this time without a heartbeat, other instances continue the calls that an instance waits for. */
    private static final String MISSING = "3 seconds";
    /** After this time without a heartbeat, an instance is dead: it runs no calls and has no callers. */
    private static final String GONE = "15 seconds";
    /** After this time, an answered call that its instance has not claimed can be taken over. */
    private static final String UNCLAIMED = "30 seconds";
    /** For this time after the answer, ending a call is left to the instance that ran it. */
    private static final String JUST_ANSWERED = "5 seconds";

    private static final int MAX_PAGE_SIZE = 1000;
    private static final int DELETE_BATCH = 10_000;
    private static final int MAX_EVENTS = 5000;

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
                    expires_at, waiter, ends_with_waiter, causes, approvers_needed, caller_may_approve, for_permit)
                VALUES (:tenant, :request, :agent, :session, :workspace, :principal, :project, :operation, :tool,
                    :arguments, :masked, decode(:digest, 'hex'), :call, :reason, :rule, :preview,
                    now() + make_interval(secs => :seconds), :waiter::uuid, :ends_with_waiter, :causes::jsonb, :approvers,
                    :caller_may_approve, :for_permit)
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

    /** Fails if another call has the key; takes over the key of an earlier request of the same call. */
    private static final String TAKE_KEY = """
            INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, held_by)
            VALUES (:tenant, :agent, :request, decode(:digest, 'hex'), :question)
            ON CONFLICT (tenant_id, agent_id, request_id) DO UPDATE SET held_by = excluded.held_by
            WHERE request_keys.held_by IS NOT NULL AND request_keys.completed_at IS NULL
              AND request_keys.body_digest = excluded.body_digest""";

    /** Gives the key back to a held call that did not start. */
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

    // An approved call also expires if its caller has not fetched the permit; the approver stays on record.
    private static final String EXPIRE = """
            WITH over AS (
                UPDATE approvals SET verdict = 'TIMED_OUT', answered_at = coalesce(answered_at, now())
                WHERE expires_at <= now() AND (verdict IS NULL
                    OR (for_permit AND verdict = 'APPROVED' AND claimed_at IS NULL AND ended_at IS NULL))
                RETURNING 1)
            SELECT %s FROM over LIMIT 1""".formatted(NOTIFY);

    // Waits longer than taking over does, because a caller that is disconnected only briefly would lose its call.
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

    // Without a waiter, so that an instance takes it over and records the end.
    private static final String WITHDRAW_BY_CALLER = """
            WITH given_up AS (
                UPDATE approvals SET verdict = 'WITHDRAWN', answered_at = now(), waiter = NULL
                WHERE tenant_id = :tenant AND agent_id = :agent AND request_id = :request AND principal = :principal
                  AND verdict IS NULL AND ended_at IS NULL RETURNING 1)
            SELECT count(*) AS withdrawn, %s FROM given_up""".formatted(NOTIFY);

    // ---- ANSWERED to CLAIMED, and back

    private static final String CLAIM = """
            UPDATE approvals SET claimed_by = :me, claimed_at = now(), waiter = :me
            WHERE approval_id = :id AND verdict = 'APPROVED' AND claimed_at IS NULL AND ended_at IS NULL""";

    private static final String WITHDRAW = """
            UPDATE approvals SET verdict = coalesce(verdict, 'WITHDRAWN'), answered_at = coalesce(answered_at, now()),
                claimed_by = CASE WHEN claimed_at IS NULL THEN :me ELSE claimed_by END,
                claimed_at = coalesce(claimed_at, now())
            WHERE ended_at IS NULL AND approval_id = ANY (:ids::uuid[])""";

    // Only its own claim: another instance may have taken over and be running the call.
    private static final String GIVE_BACK = """
            UPDATE approvals SET claimed_by = NULL, claimed_at = NULL
            WHERE ended_at IS NULL AND claimed_by = :me AND approval_id = ANY (:ids::uuid[])""";

    // Only if this instance is still the waiter: another one may have taken over.
    private static final String LEAVE = """
            UPDATE approvals SET waiter = NULL
            WHERE claimed_at IS NULL AND ended_at IS NULL AND waiter = :me AND approval_id = ANY (:ids::uuid[])""";

    private static final String LEAVE_ALL =
            "UPDATE approvals SET waiter = NULL WHERE waiter = :me AND ended_at IS NULL AND claimed_at IS NULL";

    private static final String HELD_CALL =
            "a.approval_id, a.held_call, a.expires_at, a.verdict, a.answered_at, a.answered_by, a.answer_reason";

    // Includes calls that their instance has not claimed for a while, for example because it lost the database.
    private static final String TAKE_OVER_ANSWERED = """
            WITH due AS (
                SELECT approval_id FROM approvals a
                WHERE ended_at IS NULL AND verdict IS NOT NULL AND claimed_at IS NULL
                  AND NOT (for_permit AND verdict = 'APPROVED')
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

    private static final String FIND_HELD_CALL = """
            SELECT held_call FROM approvals
            WHERE tenant_id = :tenant AND approval_id = :id AND held_call IS NOT NULL""";

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

    private static final String APPROVED = """
            SELECT approval_id, expires_at, verdict, answered_at, answered_by, answer_reason FROM approvals
            WHERE tenant_id = :tenant AND agent_id = :agent AND request_id = :request
              AND arguments_digest = decode(:digest, 'hex') AND verdict = 'APPROVED' AND claimed_at IS NULL
              AND ended_at IS NULL""";

    // The agent of a call is in the approval request, the record or the intent. The outcome is matched to a request by
    // the digest of its call.
    private static final String FIND_CALLS = """
            WITH call AS (
                SELECT 1 AS rank, agent_id, tool_name, asked_at AS at, approval_id, verdict IS NULL AS pending, expires_at,
                    ended_at IS NOT NULL AS ended, arguments_digest AS digest,
                    CASE WHEN for_permit AND verdict = 'APPROVED' AND claimed_at IS NULL AND ended_at IS NULL
                        THEN held_call END AS approved_call
                FROM approvals WHERE tenant_id = :tenant AND request_id = :request
                UNION ALL
                SELECT 2, agent_id, tool_name, timestamp, NULL, false, NULL, true, NULL, NULL FROM %s
                WHERE tenant_id = :tenant AND request_id = :request
                UNION ALL
                SELECT 3, agent_id, tool_name, timestamp, NULL, false, NULL, false, NULL, NULL FROM tool_intents
                WHERE tenant_id = :tenant AND request_id = :request),
            newest AS (
                SELECT DISTINCT ON (agent_id) * FROM call WHERE :agent::text IS NULL OR agent_id = :agent
                ORDER BY agent_id, rank, at DESC)
            SELECT newest.agent_id, newest.tool_name, newest.approval_id, newest.pending, newest.expires_at,
                newest.ended OR k.completed_at IS NOT NULL AS completed, k.outcome, newest.approved_call,
                CASE WHEN k.completed_at IS NULL AND k.permit_until > now() THEN k.permit_until END AS permit_until,
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

    /** A repository that uses this connection or transaction. */
    static ApprovalRepository in(Handle handle) {
        return new ApprovalRepository(handle);
    }

    /** The result of {@link #ask}. */
    record Asked(UUID id, Instant expiresAt, Join join) {
        /** Whether the request is new. */
        enum Join {
            /** It was stored just now. */
            NEW,
            /** It is an earlier request of the same call. */
            SAME_CALL,
            /** It is a request of another held call with the same request id. */
            OTHER_CALL
        }
    }

    /** A request locked by this transaction, and whether it can still be answered. */
    record Locked(ApprovalRequest request, boolean open) {}

    /** The answer to one request. */
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
     * Stores an approval request, or joins an existing one of the same call.
     *
     * @param waiter the instance that waits for the answer; {@code null} if none does
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
                .bind("for_permit", call.permitFor() != null)
                .map((row, _) -> new Asked(
                        row.getObject("approval_id", UUID.class),
                        Timestamps.read(row, "expires_at"),
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
     * Gives keys back to held calls that took them over to run and did not start; keys without a held call are not
     * changed. The lists have one entry per key.
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

    /** The approved request of a call that has not been claimed. */
    Optional<ApprovedRow> approved(RequestKey key) {
        return handle.createQuery(APPROVED)
                .bind("tenant", key.tenant().value())
                .bind("agent", key.agent().value())
                .bind("request", key.requestId().value())
                .bind("digest", key.digest())
                .map((row, _) -> new ApprovedRow(
                        row.getObject("approval_id", UUID.class),
                        Timestamps.read(row, "expires_at"),
                        ApprovalRows.answer(row)))
                .findOne();
    }

    /** An approved request that waits for its caller. */
    record ApprovedRow(UUID id, Instant expiresAt, Approvals.@Nullable Answer answer) {}

    /** The number of open requests of all tenants. */
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

    /** Locks a request: concurrent answers wait until this transaction ends. */
    Optional<Locked> lock(TenantId tenant, UUID id) {
        return handle.createQuery(LOCK)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .map((row, _) -> new Locked(ApprovalRows.request(row), row.getBoolean("open")))
                .findOne();
    }

    /** Adds a person's approval; false if the person has approved before. */
    boolean addYes(UUID id, Vote vote) {
        return handle.createUpdate(ADD_YES)
                        .bind("id", id)
                        .bind("by", vote.by())
                        .bind("reason", ApprovalRows.storable(vote.reason()))
                        .bind("scope", vote.scope().wireName())
                        .bind("until", vote.until())
                        .execute()
                == 1;
    }

    /** The narrowest scope of all approvals of a request. */
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
     * Answers a request that this transaction has locked.
     *
     * @param by all approvers
     * @param scope {@code null} for a denial
     */
    ApprovalRequest answer(TenantId tenant, UUID id, Vote vote, String by, @Nullable Scope scope) {
        return handle.createQuery(ANSWER)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .bind("verdict", vote.choice().verdict().name())
                .bind("by", by)
                .bind("reason", ApprovalRows.storable(vote.reason()))
                .bind("scope", scope == null ? null : scope.wireName())
                .map((row, _) -> ApprovalRows.request(row))
                .one();
    }

    /** Notifies all instances. */
    void announce() {
        handle.execute("SELECT " + NOTIFY);
    }

    /** Expires one request if it is due. */
    void expire(TenantId tenant, UUID id) {
        handle.createUpdate(EXPIRE_ONE)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .execute();
    }

    /** Expires all requests that are due. */
    void expire() {
        handle.execute(EXPIRE);
    }

    /**
     * Withdraws requests whose callers are gone and cannot return.
     *
     * @param others whether it is known which other instances are alive
     */
    void withdrawAbandoned(UUID me, OtherInstances others) {
        handle.createUpdate(WITHDRAW_ABANDONED)
                .bind("me", me)
                .bind("others_known", others == OtherInstances.KNOWN)
                .execute();
    }

    /** Withdraws a call on behalf of its caller; false if it is not open. */
    boolean withdrawByCaller(TenantId tenant, AgentId agent, String principal, RequestId request) {
        return handle.createQuery(WITHDRAW_BY_CALLER)
                        .bind("tenant", tenant.value())
                        .bind("agent", agent.value())
                        .bind("principal", principal)
                        .bind("request", request.value())
                        .map((row, _) -> row.getInt("withdrawn"))
                        .one()
                > 0;
    }

    /** Whether it is known which other instances are alive; after an outage none has sent a heartbeat yet. */
    enum OtherInstances {
        KNOWN,
        UNKNOWN
    }

    // ---- ANSWERED to CLAIMED, and back

    /** Claims an approved call, so that only this instance may run it; false if it cannot be claimed. */
    boolean claim(UUID id, UUID me) {
        return handle.createUpdate(CLAIM).bind("me", me).bind("id", id).execute() == 1;
    }

    /** Withdraws calls, so that they cannot be claimed. */
    void withdraw(Collection<UUID> ids, UUID me) {
        handle.createUpdate(WITHDRAW)
                .bind("me", me)
                .bindArray("ids", UUID.class, ids)
                .execute();
    }

    /** Gives back claimed calls that were not run, so that they can be claimed again. */
    void giveBack(Collection<UUID> ids, UUID me) {
        handle.createUpdate(GIVE_BACK)
                .bind("me", me)
                .bindArray("ids", UUID.class, ids)
                .execute();
    }

    /** Removes this instance as the waiter of these calls. */
    void leave(Collection<UUID> ids, UUID me) {
        handle.createUpdate(LEAVE)
                .bind("me", me)
                .bindArray("ids", UUID.class, ids)
                .execute();
    }

    /** Removes this instance as the waiter of all calls. */
    void leaveAll(UUID me) {
        handle.createUpdate(LEAVE_ALL).bind("me", me).execute();
    }

    /** Makes this instance the waiter of answered calls that no other instance continues. */
    List<TakenOver> takeOverAnswered(UUID me, int limit, OtherInstances others) {
        return takenOver(handle.createQuery(TAKE_OVER_ANSWERED)
                .bind("others_known", others == OtherInstances.KNOWN)
                .bind("me", me)
                .bind("limit", limit));
    }

    /** Takes over claimed calls of dead instances; they must not run again. */
    List<TakenOver> takeOverClaimed(UUID me, int limit) {
        return takenOver(handle.createQuery(TAKE_OVER_CLAIMED).bind("me", me).bind("limit", limit));
    }

    private static List<TakenOver> takenOver(Query query) {
        return query.map((row, _) -> new TakenOver(
                        row.getObject("approval_id", UUID.class),
                        Timestamps.read(row, "expires_at"),
                        row.getString("held_call"),
                        ApprovalRows.answer(row)))
                .list();
    }

    // ---- ENDED

    /** Ends calls whose outcomes are recorded. */
    void end(Collection<UUID> ids) {
        handle.createUpdate(END).bindArray("ids", UUID.class, ids).execute();
    }

    /** Ends calls that have a recorded outcome, for example because their instance died before it could end them. */
    void endRecorded() {
        handle.execute(END_RECORDED);
    }

    /** Deletes a batch of old ended requests and returns its size; repeat until it is zero. */
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

    Optional<String> heldCall(TenantId tenant, UUID id) {
        return handle.createQuery(FIND_HELD_CALL)
                .bind("tenant", tenant.value())
                .bind("id", id)
                .mapTo(String.class)
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
                .bind("limit", Math.clamp(limit, 1, MAX_PAGE_SIZE))
                .map((row, _) -> ApprovalRows.request(row))
                .list();
    }

    /** The events of the last seconds, unordered. */
    List<ApprovalEvent> recent(int seconds) {
        List<List<ApprovalEvent>> found = handle.createQuery(RECENT)
                .bind("seconds", seconds)
                .bind("limit", MAX_EVENTS)
                .map((row, _) -> ApprovalEvent.of(ApprovalRows.request(row), row.getBoolean("is_new")))
                .list();
        return found.stream().flatMap(List::stream).toList();
    }

    /** The answers to these requests, where there is one. */
    List<Answered> answers(Collection<UUID> ids) {
        return handle.createQuery(ANSWERS)
                .bindArray("ids", UUID.class, ids)
                .map((row, _) -> new Answered(
                        row.getObject("approval_id", UUID.class), ApprovalRows.given(ApprovalRows.answer(row))))
                .list();
    }

    /** The calls with a request id; see {@link CallLookup#find}. */
    List<CallLookup.FoundCall> findCalls(TenantId tenant, RequestId request, @Nullable AgentId agent) {
        return handle.createQuery(FIND_CALLS)
                .bind("tenant", tenant.value())
                .bind("request", request.value())
                .bind("agent", agent == null ? null : agent.value())
                .map((row, _) -> ApprovalRows.collected(row))
                .list();
    }

    // ---- standing approvals

    /** The answer of a standing approval that covers a request, if there is one. */
    Optional<Approvals.Answer> findCovering(Approvals.Question question) {
        return withTerms(handle.createQuery(FIND_COVERING), question)
                .map((row, _) -> new Approvals.Answer(
                        Approvals.Verdict.APPROVED,
                        row.getString("granted_by"),
                        row.getString("reason"),
                        Timestamps.read(row, "created_at")))
                .findOne();
    }

    /** Binds the parameters that a request and a matching standing approval have in common. */
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

    /** Adds a standing approval; false if the agent does not exist. */
    boolean addStanding(ApprovalRequest request, @Nullable SessionId session, Vote vote) {
        return handle.createUpdate(ADD_STANDING)
                        .bind("tenant", request.caller().tenant().value())
                        .bind("agent", request.caller().agent().value())
                        .bind("tool", request.tool())
                        .bind("session", session == null ? null : session.value())
                        .bind("approval", request.id())
                        .bind(
                                "by",
                                request.answer() == null
                                        ? vote.by()
                                        : request.answer().by())
                        .bind("reason", ApprovalRows.storable(vote.reason()))
                        .execute()
                == 1;
    }

    List<StandingApproval> listStanding(TenantId tenant, @Nullable UUID after, int limit) {
        return handle.createQuery(LIST_STANDING)
                .bind("tenant", tenant.value())
                .bind("after", after)
                .bind("limit", Math.clamp(limit, 1, MAX_PAGE_SIZE))
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

    /** Deletes a batch of old standing approvals; repeat like {@link #deleteEnded}. */
    int deleteStanding(Duration age) {
        return delete(DELETE_STANDING, age);
    }

    private int delete(String deletion, Duration age) {
        return handle.createUpdate(deletion)
                .bind("age", (double) age.toSeconds())
                .bind("rows", DELETE_BATCH)
                .execute();
    }
}
