package dev.toolgate.store.audit.rollup;

import org.jdbi.v3.core.Handle;

/** The records written since the last step of the rollup. */
final class UncountedRecords {
    private static final int MAX = 20_000;

    private static final String CHAINS = """
            audit_instances i LEFT JOIN audit_rollup_positions p USING (instance_id)""";
    private static final String COUNTED = "greatest(p.sequence, i.pruned_sequence, 0)";

    /** For a FROM clause. */
    static final String FROM = """
            (SELECT l.* FROM %1$s CROSS JOIN LATERAL (
                 SELECT * FROM tool_audit_logs
                 WHERE instance_id = i.instance_id AND sequence > %2$s AND sequence <= i.last_sequence
                 UNION ALL
                 SELECT * FROM tool_audit_logs_rest
                 WHERE instance_id = i.instance_id AND sequence > %2$s AND sequence <= i.last_sequence) AS l
             WHERE i.last_sequence > %2$s) AS records""".formatted(CHAINS, COUNTED);

    private UncountedRecords() {}

    /** Whether there are more than a query may read, as for a while after an upgrade. */
    static boolean areTooMany(Handle handle) {
        return handle.createQuery("SELECT coalesce(sum(i.last_sequence - " + COUNTED + "), 0) FROM " + CHAINS
                                + " WHERE i.last_sequence > " + COUNTED)
                        .mapTo(Long.class)
                        .one()
                > MAX;
    }
}
