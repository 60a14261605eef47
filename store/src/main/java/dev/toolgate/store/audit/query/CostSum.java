package dev.toolgate.store.audit.query;

import java.math.BigDecimal;

/** The total cost of the calls of one agent, one tool or one day. */
public record CostSum(String name, long calls, BigDecimal cost) {

    /** What costs are grouped by. */
    public enum By {
        AGENT("agent_id"),
        TOOL("tool_name"),
        /** In UTC, as {@code 2026-01-31}. */
        DAY("to_char(timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD')");

        private final String column;

        By(String column) {
            this.column = column;
        }

        String column() {
            return column;
        }
    }
}
