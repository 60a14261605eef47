package dev.toolgate.store.audit.query;

import java.math.BigDecimal;

/** What the calls of one agent, or of one tool, have cost together. */
public record CostSum(String name, long calls, BigDecimal cost) {

    /** What costs are added up by. */
    public enum By {
        AGENT("agent_id"),
        TOOL("tool_name");

        private final String column;

        By(String column) {
            this.column = column;
        }

        String column() {
            return column;
        }
    }
}
