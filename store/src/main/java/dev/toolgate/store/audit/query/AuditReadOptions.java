package dev.toolgate.store.audit.query;

/**
 * The order and the scope of a query.
 *
 * @param scope whose records are included
 */
public record AuditReadOptions(Order order, Scope scope) {
    /** Everything, newest first. */
    public static final AuditReadOptions NEWEST_FIRST = new AuditReadOptions(Order.NEWEST_FIRST, Scope.EVERYTHING);

    /** The sort order. */
    public enum Order {
        NEWEST_FIRST("<", "DESC"),
        OLDEST_FIRST(">", "ASC");

        private final String comparison;
        private final String direction;

        Order(String comparison, String direction) {
            this.comparison = comparison;
            this.direction = direction;
        }

        /** The SQL operator between the position of a later record and that of an earlier one. */
        String comparison() {
            return comparison;
        }

        /** The ORDER BY clause. */
        public String sql() {
            return " ORDER BY timestamp " + direction + ", id " + direction;
        }
    }

    /** Whose records are included. */
    public enum Scope {
        /** All records of the tenant. */
        EVERYTHING,
        /** Only calls of registered agents, not the actions of users. */
        KNOWN_AGENTS
    }
}
