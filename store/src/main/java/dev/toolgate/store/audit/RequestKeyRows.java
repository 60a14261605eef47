package dev.toolgate.store.audit;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.port.RequestKey;
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

/** Request ids that callers have chosen, and what became of them. */
final class RequestKeyRows {
    private static final String INTERRUPTED =
            OutcomeJson.write(new Outcome.Failed(Failure.of(ErrorCode.TOOL_EXECUTION_FAILED, CallFacts.INTERRUPTED)));

    /** Takes keys, or fails if one of them belongs to another call; what that does to a transaction undoes it. */
    static final String TAKE_ALL = """
            INSERT INTO request_keys (tenant_id, request_id, body_digest, outcome, completed_at)
            SELECT tenant_id, request_id, digest, outcome, CASE WHEN outcome IS NOT NULL THEN CURRENT_TIMESTAMP END
            FROM (SELECT unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[]), unnest(?::text[]))
            AS row (tenant_id, request_id, digest, outcome)""";

    private static final String TAKE = TAKE_ALL + " ON CONFLICT DO NOTHING RETURNING tenant_id, request_id";

    private static final String COMPLETE = """
            UPDATE request_keys k SET outcome = row.outcome, completed_at = CURRENT_TIMESTAMP
            FROM unnest(?::text[], ?::text[], ?::bytea[], ?::text[]) AS row (tenant_id, request_id, digest, outcome)
            WHERE k.tenant_id = row.tenant_id AND k.request_id = row.request_id AND k.body_digest = row.digest""";

    private static final String INTERRUPT = """
            UPDATE request_keys k SET outcome = ?, completed_at = CURRENT_TIMESTAMP
            FROM unnest(?::text[], ?::text[]) AS row (tenant_id, request_id)
            WHERE k.tenant_id = row.tenant_id AND k.request_id = row.request_id AND k.completed_at IS NULL""";

    private static final String RELEASE = """
            DELETE FROM request_keys k USING unnest(?::text[], ?::text[]) AS row (tenant_id, request_id)
            WHERE k.tenant_id = row.tenant_id AND k.request_id = row.request_id AND k.completed_at IS NULL""";

    private RequestKeyRows() {}

    private record Id(String tenant, String request) implements Comparable<Id> {
        static Id of(RequestKey key) {
            return new Id(
                    CleanText.clean(key.tenant().value()),
                    CleanText.clean(key.requestId().value()));
        }

        @Override
        public int compareTo(Id other) {
            int byTenant = tenant.compareTo(other.tenant);
            return byTenant == 0 ? request.compareTo(other.request) : byTenant;
        }
    }

    /** A key and what takes it. */
    private record Claim(Id id, RequestKey key, AuditItem item) {
        static @Nullable Claim of(AuditItem item) {
            RequestKey key = item.claims();
            return key == null ? null : new Claim(Id.of(key), key, item);
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
        Map<Id, Claim> first = new TreeMap<>();
        for (AuditItem item : items) {
            Claim claim = Claim.of(item);
            if (claim != null && first.putIfAbsent(claim.id(), claim) != null) {
                late.add(item);
            }
        }
        if (first.isEmpty()) {
            return late;
        }
        Set<Id> taken = new HashSet<>();
        try (PreparedStatement insert = connection.prepareStatement(TAKE)) {
            bindTaken(connection, insert, List.copyOf(first.values()));
            try (ResultSet rows = insert.executeQuery()) {
                while (rows.next()) {
                    taken.add(new Id(rows.getString(1), rows.getString(2)));
                }
            }
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
                .column(claim -> claim.id().request())
                .hex(claim -> claim.key().digest())
                .column(Claim::outcome)
                .next();
    }

    /** Calls have ended whose intents took their keys. */
    static void complete(Connection connection, List<KeyAnswer> answers) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(COMPLETE)) {
            new ColumnArrays<>(connection, update, 1, answers)
                    .column(answer -> Id.of(answer.key()).tenant())
                    .column(answer -> Id.of(answer.key()).request())
                    .hex(answer -> answer.key().digest())
                    .column(KeyAnswer::outcome);
            update.executeUpdate();
        }
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
        try (PreparedStatement delete = connection.prepareStatement(RELEASE)) {
            bind(connection, delete, 1, calls);
            delete.executeUpdate();
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, int first, List<CallFacts> calls)
            throws SQLException {
        new ColumnArrays<>(connection, statement, first, calls)
                .column(CallFacts::tenantId)
                .column(CallFacts::requestId);
    }
}
