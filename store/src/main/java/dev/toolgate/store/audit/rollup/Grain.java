package dev.toolgate.store.audit.rollup;

import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * What one row of the rollup counts: records of an hour or a day, of all tools or one, of all agents or one. Coarse
 * grains
 * exist because an agent that uses a tool once an hour has as many fine rows as records.
 */
enum Grain {
    HOUR,
    TOOL_HOUR,
    CELL_HOUR,
    TOOL_DAY,
    AGENT_DAY;

    /** The stored name. */
    String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The grouping set of its rows. */
    String groupedBy() {
        return switch (this) {
            case HOUR -> "hour";
            case TOOL_HOUR -> "hour, tool_name";
            case CELL_HOUR -> "hour, agent_id, tool_name";
            case TOOL_DAY -> "day, tool_name";
            case AGENT_DAY -> "day, agent_id";
        };
    }

    /** The SQL condition by which a row of the grouping sets belongs to it. */
    String isGroup() {
        return switch (this) {
            case HOUR -> "grouping(hour, agent_id, tool_name) = 3";
            case TOOL_HOUR -> "grouping(hour, agent_id, tool_name) = 2";
            case CELL_HOUR -> "grouping(hour, agent_id, tool_name) = 0";
            case TOOL_DAY -> "grouping(day, agent_id, tool_name) = 2";
            case AGENT_DAY -> "grouping(day, agent_id, tool_name) = 1";
        };
    }

    /**
     * The coarsest grain that distinguishes the given dimensions.
     *
     * @param unit the length of the periods to distinguish
     */
    static Grain of(ChronoUnit unit, Dimensions dimensions) {
        return switch (dimensions) {
            case NONE -> HOUR;
            case TOOL -> unit == ChronoUnit.DAYS ? TOOL_DAY : TOOL_HOUR;
            case AGENT -> unit == ChronoUnit.DAYS ? AGENT_DAY : CELL_HOUR;
            case BOTH -> CELL_HOUR;
        };
    }

    /** Which of agent and tool must be distinguished. */
    enum Dimensions {
        NONE,
        AGENT,
        TOOL,
        BOTH;

        Dimensions and(Dimensions other) {
            if (this == NONE || this == other) {
                return other;
            }
            return other == NONE ? this : BOTH;
        }
    }
}
