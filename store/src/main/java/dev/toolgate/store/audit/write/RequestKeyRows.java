package dev.toolgate.store.audit.write;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.ColumnArrays;
import dev.toolgate.store.heldcall.ApprovalRepository;
import dev.toolgate.store.requestkey.KeyRequest.StoredId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Persistent request keys: held by an approval request, running since an intent, or completed with an outcome. */
final class RequestKeyRows {
    /** The outcome of a call whose own outcome was never recorded. */
    static final String INTERRUPTED =
            OutcomeJson.write(new Outcome.Failed(Failure.of(ErrorCode.TOOL_EXECUTION_FAILED, CallFacts.INTERRUPTED)));

    /** Takes keys; fails, and thus aborts the transaction, if one of them belongs to another call. */
    static final String TAKE_ALL = """
            INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, outcome, completed_at)
            SELECT tenant_id, agent_id, request_id, digest, outcome,
                CASE WHEN outcome IS NOT NULL THEN CURRENT_TIMESTAMP END
            FROM (SELECT unnest(?::text[]), unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[]), unnest(?::text[]))
            AS row (tenant_id, agent_id, request_id, digest, outcome)""";

    /** The same, but skips keys of other calls; a held call takes over its own key. */
    private static final String TAKE = TAKE_ALL + """
             ON CONFLICT (tenant_id, agent_id, request_id) DO UPDATE SET held_by = NULL
            WHERE request_keys.held_by IS NOT NULL AND request_keys.completed_at IS NULL
              AND request_keys.body_digest = excluded.body_digest AND excluded.outcome IS NULL
            RETURNING tenant_id, agent_id, request_id""";

    /** Completes keys that an intent or an approval request has taken, except those that were completed before. */
    static final String COMPLETE_ALL = """
            UPDATE request_keys k SET outcome = row.outcome, completed_at = CURRENT_TIMESTAMP
            FROM unnest(?::text[], ?::text[], ?::text[], ?::bytea[], ?::text[])
                AS row (tenant_id, agent_id, request_id, digest, outcome)
            WHERE k.tenant_id = row.tenant_id AND k.agent_id = row.agent_id AND k.request_id = row.request_id
              AND k.body_digest = row.digest AND k.completed_at IS NULL""";

    /** The same, but not those of permits that have expired, which are about to be recorded as interrupted. */
    static final String COMPLETE_IN_TIME =
            COMPLETE_ALL + " AND (k.permit_until IS NULL OR k.permit_until > CURRENT_TIMESTAMP)";

    private static final String COMPLETE = COMPLETE_IN_TIME + " RETURNING k.tenant_id, k.agent_id, k.request_id";

    private static final String INTERRUPT = """
            UPDATE request_keys k SET outcome = ?, completed_at = CURRENT_TIMESTAMP
            FROM unnest(?::text[], ?::text[], ?::text[]) AS row (tenant_id, agent_id, request_id)
            WHERE k.tenant_id = row.tenant_id AND k.agent_id = row.agent_id AND k.request_id = row.request_id
              AND k.completed_at IS NULL""";

    private static final String RELEASE = """
            DELETE FROM request_keys k USING unnest(?::text[], ?::text[], ?::text[]) AS row (tenant_id, agent_id, request_id)
            WHERE k.tenant_id = row.tenant_id AND k.agent_id = row.agent_id AND k.request_id = row.request_id
              AND k.completed_at IS NULL AND k.held_by IS NULL""";

    private RequestKeyRows() {}

    /** A key and what takes it. */
    private record Claim(StoredId id, RequestKey key, AuditItem item) {
        static @Nullable Claim of(AuditItem item) {
            RequestKey key = item.claims();
            return key == null ? null : new Claim(StoredId.of(key), key, item);
        }

        @Nullable
        String outcome() {
            return item instanceof AuditItem.Ended ended && ended.answer() != null
                    ? ended.answer().outcome()
                    : null;
        }
    }

    /** Takes the keys of these items, and returns the items whose key belongs to another call. */
    static Set<AuditItem> take(Connection connection, List<AuditItem> items) throws SQLException {
        Set<AuditItem> late = Collections.newSetFromMap(new IdentityHashMap<>());
        // Sorted, to avoid deadlocks between instances that take the same keys.
        Map<StoredId, Claim> first = new TreeMap<>();
        for (AuditItem item : items) {
            Claim claim = Claim.of(item);
            if (claim != null && first.putIfAbsent(claim.id(), claim) != null) {
                late.add(item);
            }
        }
        if (first.isEmpty()) {
            return late;
        }
        Set<StoredId> taken = new HashSet<>();
        try (PreparedStatement insert = connection.prepareStatement(TAKE)) {
            bindTaken(connection, insert, 1, List.copyOf(first.values()));
            read(insert, taken);
        }
        first.forEach((id, claim) -> {
            if (!taken.contains(id)) {
                late.add(claim.item());
            }
        });
        return late;
    }

    /**
     * Binds the keys that these items take to {@link #TAKE_ALL}.
     *
     * @return the first parameter after them
     */
    static int bindAll(Connection connection, PreparedStatement insert, int first, List<AuditItem> items)
            throws SQLException {
        // Sorted here too; two calls with the same key fail, as intended.
        List<Claim> claims = new ArrayList<>(items.size());
        for (AuditItem item : items) {
            Claim claim = Claim.of(item);
            if (claim != null) {
                claims.add(claim);
            }
        }
        claims.sort(Comparator.comparing(Claim::id));
        return bindTaken(connection, insert, first, claims);
    }

    private static int bindTaken(Connection connection, PreparedStatement insert, int first, List<Claim> claims)
            throws SQLException {
        return new ColumnArrays<>(connection, insert, first, claims)
                .column(claim -> claim.id().tenant())
                .column(claim -> claim.id().agent())
                .column(claim -> claim.id().request())
                .hex(claim -> claim.key().digest())
                .column(Claim::outcome)
                .next();
    }

    private static void read(PreparedStatement statement, Set<StoredId> ids) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(new StoredId(rows.getString(1), rows.getString(2), rows.getString(3)));
            }
        }
    }

    /**
     * Completes the keys of calls whose intents or approval requests had taken them.
     *
     * @return the calls whose keys were completed before
     */
    static Set<AuditItem> complete(Connection connection, List<AuditItem.Ended> calls) throws SQLException {
        List<KeyOutcome> answers = new ArrayList<>(calls.size());
        for (AuditItem.Ended call : calls) {
            if (call.answer() != null) {
                answers.add(call.answer());
            }
        }
        Set<StoredId> completed = new HashSet<>();
        try (PreparedStatement update = connection.prepareStatement(COMPLETE)) {
            bindCompleted(connection, update, 1, answers);
            read(update, completed);
        }
        Set<AuditItem> late = Collections.newSetFromMap(new IdentityHashMap<>());
        for (AuditItem.Ended call : calls) {
            // Of two calls with one key only the first completes it.
            if (call.answer() != null
                    && !completed.remove(StoredId.of(call.answer().key()))) {
                late.add(call);
            }
        }
        return late;
    }

    /**
     * Binds keys and their outcomes to {@link #COMPLETE_ALL}.
     *
     * @return the first parameter after them
     */
    static int bindCompleted(Connection connection, PreparedStatement update, int first, List<KeyOutcome> answers)
            throws SQLException {
        return new ColumnArrays<>(connection, update, first, answers)
                .column(answer -> StoredId.of(answer.key()).tenant())
                .column(answer -> StoredId.of(answer.key()).agent())
                .column(answer -> StoredId.of(answer.key()).request())
                .hex(answer -> answer.key().digest())
                .column(KeyOutcome::outcome)
                .next();
    }

    /** Completes the keys of interrupted calls, so that a repeated call learns that the outcome is unknown. */
    static void interrupt(Connection connection, List<CallFacts> calls) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(INTERRUPT)) {
            update.setString(1, INTERRUPTED);
            bind(connection, update, 2, calls);
            update.executeUpdate();
        }
    }

    /** Releases the keys of calls that never started, so that they can be made again. */
    static void release(Connection connection, List<CallFacts> calls) throws SQLException {
        ApprovalRepository.holdKeysAgain(
                connection,
                calls.stream().map(CallFacts::tenantId).toList(),
                calls.stream().map(CallFacts::agentId).toList(),
                calls.stream().map(CallFacts::requestId).toList());
        try (PreparedStatement update = connection.prepareStatement(RELEASE)) {
            bind(connection, update, 1, calls);
            update.executeUpdate();
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, int first, List<CallFacts> calls)
            throws SQLException {
        new ColumnArrays<>(connection, statement, first, calls)
                .column(CallFacts::tenantId)
                .column(CallFacts::agentId)
                .column(CallFacts::requestId);
    }
}
