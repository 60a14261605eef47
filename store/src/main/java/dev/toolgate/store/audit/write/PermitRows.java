package dev.toolgate.store.audit.write;

import dev.toolgate.store.audit.record.ColumnArrays;
import dev.toolgate.store.requestkey.KeyRequest.StoredId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Permits of callers that run tools themselves. A permit is an intent and a request key with an expiry. Completing the
 * key ends it, so that of two reports, or of a report and the expiry, only one takes effect, across all instances.
 */
final class PermitRows {
    private static final int MAX_EXPIRED = 500;

    private static final String BEGIN = """
            UPDATE request_keys k SET permit_until = row.until::timestamptz
            FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS row (tenant_id, agent_id, request_id, until)
            WHERE k.tenant_id = row.tenant_id AND k.agent_id = row.agent_id AND k.request_id = row.request_id""";

    /** Takes the keys of permits; fails, and thus aborts the transaction, if one of them belongs to another call. */
    static final String TAKE_ALL = """
            INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, permit_until)
            SELECT unnest(?::text[]), unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[]), unnest(?::text[])::timestamptz""";

    /** Completes the keys of reported permits; divides by zero, and thus aborts the transaction, if one has ended. */
    static final String REPORT_ALL = "WITH reported AS (" + RequestKeyRows.COMPLETE_IN_TIME + " RETURNING 1) "
            + "SELECT 1 / (CASE WHEN count(*) = ? THEN 1 ELSE 0 END) FROM reported";

    /** The SQL state with which {@link #REPORT_ALL} fails. */
    static final String HAS_ENDED = "22012";

    static final String END = """
            DELETE FROM tool_intents t USING unnest(?::text[], ?::text[], ?::text[]) AS row (tenant_id, agent_id, request_id)
            WHERE t.permit_until IS NOT NULL
              AND t.tenant_id = row.tenant_id AND t.agent_id = row.agent_id AND t.request_id = row.request_id""";

    private static final String END_RETURNING = END + " RETURNING t.*";

    // Keys first, as for reports, so that the two never wait for each other.
    private static final String EXPIRE = """
            UPDATE request_keys k SET outcome = ?, completed_at = CURRENT_TIMESTAMP
            FROM (SELECT tenant_id, agent_id, request_id FROM request_keys
                  WHERE permit_until <= CURRENT_TIMESTAMP AND completed_at IS NULL
                  ORDER BY permit_until LIMIT ? FOR UPDATE SKIP LOCKED) due
            WHERE k.tenant_id = due.tenant_id AND k.agent_id = due.agent_id AND k.request_id = due.request_id
              AND k.completed_at IS NULL
            RETURNING k.tenant_id, k.agent_id, k.request_id""";

    private PermitRows() {}

    /** Marks the keys of those intents that are permits; the keys were taken in the same transaction. */
    static void begin(Connection connection, List<AuditItem.Intended> intents) throws SQLException {
        List<Permit> permits = Permit.of(intents);
        if (permits.isEmpty()) {
            return;
        }
        try (PreparedStatement update = connection.prepareStatement(BEGIN)) {
            new ColumnArrays<>(connection, update, 1, permits)
                    .column(permit -> permit.id().tenant())
                    .column(permit -> permit.id().agent())
                    .column(permit -> permit.id().request())
                    .column(Permit::until);
            update.executeUpdate();
        }
    }

    private record Permit(StoredId id, String digest, Instant until) {
        /**
         * Those of the intents that are permits, sorted, to avoid deadlocks between instances that take the same keys.
         */
        static List<Permit> of(List<AuditItem.Intended> intents) {
            List<Permit> permits = new ArrayList<>();
            for (AuditItem.Intended intent : intents) {
                if (intent.permitUntil() != null && intent.claims() != null) {
                    permits.add(new Permit(
                            StoredId.of(intent.claims()), intent.claims().digest(), intent.permitUntil()));
                }
            }
            permits.sort(Comparator.comparing(Permit::id));
            return permits;
        }
    }

    /**
     * Binds the keys of permits to {@link #TAKE_ALL}.
     *
     * @return the first parameter after them
     */
    static int bindTaken(Connection connection, PreparedStatement insert, int first, List<AuditItem.Intended> intents)
            throws SQLException {
        return new ColumnArrays<>(connection, insert, first, Permit.of(intents))
                .column(permit -> permit.id().tenant())
                .column(permit -> permit.id().agent())
                .column(permit -> permit.id().request())
                .hex(Permit::digest)
                .column(Permit::until)
                .next();
    }

    /**
     * Binds the keys of reported permits to {@link #REPORT_ALL}.
     *
     * @return the first parameter after them
     */
    static int bindReported(Connection connection, PreparedStatement update, int first, List<KeyOutcome> reported)
            throws SQLException {
        List<KeyOutcome> sorted = new ArrayList<>(reported);
        sorted.sort(Comparator.comparing(outcome -> StoredId.of(outcome.key())));
        int next = RequestKeyRows.bindCompleted(connection, update, first, sorted);
        update.setInt(next, reported.size());
        return next + 1;
    }

    /**
     * Binds permits to {@link #END}.
     *
     * @return the first parameter after them
     */
    static int bindEnd(Connection connection, PreparedStatement delete, int first, List<StoredId> permits)
            throws SQLException {
        return new ColumnArrays<>(connection, delete, first, permits)
                .column(StoredId::tenant)
                .column(StoredId::agent)
                .column(StoredId::request)
                .next();
    }

    /** Removes the intents of permits whose keys were completed in the same transaction, and returns them. */
    static List<IntentRows.Former> end(Connection connection, List<StoredId> permits) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement(END_RETURNING)) {
            bindEnd(connection, delete, 1, permits);
            return IntentRows.former(delete);
        }
    }

    /** Ends permits that were not reported in time, of any instance, as interrupted calls. */
    static List<AuditItem.Ended> expired(OpenChain open) throws SQLException {
        List<StoredId> due = new ArrayList<>();
        try (PreparedStatement update = open.connection().prepareStatement(EXPIRE)) {
            update.setString(1, RequestKeyRows.INTERRUPTED);
            update.setInt(2, MAX_EXPIRED);
            try (ResultSet rows = update.executeQuery()) {
                while (rows.next()) {
                    due.add(new StoredId(rows.getString(1), rows.getString(2), rows.getString(3)));
                }
            }
        }
        if (due.isEmpty()) {
            return List.of();
        }
        return end(open.connection(), due).stream()
                .map(intent -> new AuditItem.Ended(intent.facts(), null, null))
                .toList();
    }
}
