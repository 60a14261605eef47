package dev.toolgate.store.audit.record;

/** The tables with audit records: monthly partitions, and one for records without a partition or retained longer. */
public final class AuditTables {
    public static final String MONTHS = "tool_audit_logs";
    public static final String REST = "tool_audit_logs_rest";

    /**
     * All records, for a FROM clause. It contains no condition, so that the planner can read both tables in the order
     * of their indexes. While a partition is being dropped, a retained record may be in both, with the same id.
     */
    public static final String ALL = "(SELECT * FROM " + MONTHS + " UNION ALL SELECT * FROM " + REST + ") AS records";

    private AuditTables() {}
}
