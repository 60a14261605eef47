package dev.toolgate.store.audit;

/** Where records are: in their month, or beside the months if they have none or are kept for longer than it. */
final class AuditTables {
    static final String MONTHS = "tool_audit_logs";
    static final String REST = "tool_audit_logs_rest";

    /**
     * All records, for a FROM clause. No condition stands within, so that the database can read both tables in the order
     * of their indexes. While a month leaves, a record that stays may be found in both, with the same id.
     */
    static final String ALL = "(SELECT * FROM " + MONTHS + " UNION ALL SELECT * FROM " + REST + ") AS records";

    private AuditTables() {}
}
