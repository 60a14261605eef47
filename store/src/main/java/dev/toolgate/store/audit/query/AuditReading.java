package dev.toolgate.store.audit.query;

/**
 * How the log is read.
 *
 * @param scope whose records are shown at all
 */
public record AuditReading(Order order, Scope scope) {
    /** Everything, newest first. */
    public static final AuditReading NEWEST_FIRST = new AuditReading(Order.NEWEST_FIRST, Scope.EVERYTHING);

    /** In which order. */
    public enum Order {
        NEWEST_FIRST("<", "DESC"),
        OLDEST_FIRST(">", "ASC");

        private final String comparison;
        private final String direction;

        Order(String comparison, String direction) {
            this.comparison = comparison;
            this.direction = direction;
        }

        /** How the place of a record that comes later in this order compares to that of an earlier one, in SQL. */
        String comparison() {
            return comparison;
        }

        /** The sorting, in SQL. */
        String sql() {
            return " ORDER BY timestamp " + direction + ", id " + direction;
        }
    }

    /** Whose records. */
    public enum Scope {
        /** All of the tenant. */
        EVERYTHING,
        /** Calls of agents that the tenant knows, not what people did. */
        KNOWN_AGENTS
    }
}
