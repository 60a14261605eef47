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

/** Request ids that were taken for good: held by a question, running since an intent, or ended with an outcome. */
final class RequestKeyRows {
    private static final String INTERRUPTED =
            OutcomeJson.write(new Outcome.Failed(Failure.of(ErrorCode.TOOL_EXECUTION_FAILED, CallFacts.INTERRUPTED)));

    /** Takes keys, or fails if one of them belongs to another call; what that does to a transaction undoes it. */
    static final String TAKE_ALL = """
            INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, outcome, completed_at)
            SELECT tenant_id, agent_id, request_id, digest, outcome,
                CASE WHEN outcome IS NOT NULL THEN CURRENT_TIMESTAMP END
            FROM (SELECT unnest(?::text[]), unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[]), unnest(?::text[]))
            AS row (tenant_id, agent_id, request_id, digest, outcome)""";

    /** The same without those that belong to another call; a call that was held takes its key over. */
    private static final String TAKE = TAKE_ALL + """
             ON CONFLICT (tenant_id, agent_id, request_id) DO UPDATE SET held_by = NULL
            WHERE request_keys.held_by IS NOT NULL AND request_keys.completed_at IS NULL
              AND request_keys.body_digest = excluded.body_digest AND excluded.outcome IS NULL
            RETURNING tenant_id, agent_id, request_id""";

    private static final String COMPLETE = """
            UPDATE request_keys k SET outcome = row.outcome, completed_at = CURRENT_TIMESTAMP
            FROM unnest(?::text[], ?::text[], ?::text[], ?::bytea[], ?::text[])
                AS row (tenant_id, agent_id, request_id, digest, outcome)
            WHERE k.tenant_id = row.tenant_id AND k.agent_id = row.agent_id AND k.request_id = row.request_id
              AND k.body_digest = row.digest AND k.completed_at IS NULL
            RETURNING k.tenant_id, k.agent_id, k.request_id""";

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

    /** Takes the keys of these items, and says which items came too late. */
    static Set<AuditItem> take(Connection connection, List<AuditItem> items) throws SQLException {
        Set<AuditItem> late = Collections.newSetFromMap(new IdentityHashMap<>());
        // In order, so that two instances that want the same keys never wait for each other in a circle.
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
            bindTaken(connection, insert, List.copyOf(first.values()));
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
     * Binds the keys of these calls to {@link #TAKE_ALL}.
     *
     * @return the first parameter after them
     */
    static int bindAll(Connection connection, PreparedStatement insert, List<AuditItem.Ended> calls)
            throws SQLException {
        // In order here too; two calls with the same key fail, as they should.
        List<Claim> claims = new ArrayList<>(calls.size());
        for (AuditItem.Ended call : calls) {
            Claim claim = Claim.of(call);
            if (claim != null) {
                claims.add(claim);
            }
        }
        claims.sort(Comparator.comparing(Claim::id));
        return bindTaken(connection, insert, claims);
    }

    private static int bindTaken(Connection connection, PreparedStatement insert, List<Claim> claims)
            throws SQLException {
        return new ColumnArrays<>(connection, insert, 1, claims)
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
     * Calls have ended whose intents or questions took their keys.
     *
     * @return those that had ended before
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
            new ColumnArrays<>(connection, update, 1, answers)
                    .column(answer -> StoredId.of(answer.key()).tenant())
                    .column(answer -> StoredId.of(answer.key()).agent())
                    .column(answer -> StoredId.of(answer.key()).request())
                    .hex(answer -> answer.key().digest())
                    .column(KeyOutcome::outcome);
            read(update, completed);
        }
        Set<AuditItem> late = Collections.newSetFromMap(new IdentityHashMap<>());
        for (AuditItem.Ended call : calls) {
            // Of two under one key the first counts.
            if (call.answer() != null
                    && !completed.remove(StoredId.of(call.answer().key()))) {
                late.add(call);
            }
        }
        return late;
    }

    /** Nobody will ever know how these calls ended, and a repeated call is told so. */
    static void interrupt(Connection connection, List<CallFacts> calls) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(INTERRUPT)) {
            update.setString(1, INTERRUPTED);
            bind(connection, update, 2, calls);
            update.executeUpdate();
        }
    }

    /** These calls never began, so they may be made again. */
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
