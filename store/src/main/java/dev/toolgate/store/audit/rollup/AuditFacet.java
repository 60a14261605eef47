package dev.toolgate.store.audit.rollup;

import java.util.List;

/**
 * The most frequent values of a column.
 *
 * @param approximate whether records were left out, because counting all would take too long
 * @param isCut whether there are more values
 */
public record AuditFacet(Column column, boolean approximate, boolean isCut, List<Count> values) {

    /** How many records have a value. */
    public record Count(String value, long records) {}

    /** The columns that can be counted. */
    public enum Column {
        AGENT_ID("agent_id", Grain.Dimensions.AGENT),
        TOOL_NAME("tool_name", Grain.Dimensions.TOOL),
        STATUS("status", Grain.Dimensions.NONE),
        ERROR_CODE("error_code", Grain.Dimensions.NONE),
        KIND("kind", Grain.Dimensions.NONE);

        private final String sql;
        private final Grain.Dimensions dimensions;

        Column(String sql, Grain.Dimensions dimensions) {
            this.sql = sql;
            this.dimensions = dimensions;
        }

        /** Its name in SQL and in JSON. */
        public String columnName() {
            return sql;
        }

        Grain.Dimensions dimensions() {
            return dimensions;
        }
    }
}
