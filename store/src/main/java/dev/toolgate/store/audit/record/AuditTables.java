package dev.toolgate.store.audit.record;

/** Where records are: in their month, or beside the months if they have none or are kept for longer than it. */
public final class AuditTables {
    public static final String MONTHS = "tool_audit_logs";
    public static final String REST = "tool_audit_logs_rest";

    /**
     * All records, for a FROM clause. No condition stands within, so that the database can read both tables in the order
     * of their indexes. While a month leaves, a record that stays may be found in both, with the same id.
     */
    public static final String ALL = "(SELECT * FROM " + MONTHS + " UNION ALL SELECT * FROM " + REST + ") AS records";

    private AuditTables() {}
}
