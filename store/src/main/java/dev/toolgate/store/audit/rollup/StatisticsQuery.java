package dev.toolgate.store.audit.rollup;

import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditReadOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Which records to count.
 *
 * @param filter its period is closed at both ends, at full units of time
 * @param scope whose records are included
 * @param unit minutes, hours or days
 */
public record StatisticsQuery(AuditFilter filter, AuditReadOptions.Scope scope, ChronoUnit unit) {
    private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-01-01T00:00:00Z");

    /** Counts a period, extended to full units at both ends. */
    public static StatisticsQuery of(
            AuditFilter filter, AuditReadOptions.Scope scope, Instant from, Instant until, ChronoUnit unit) {
        Instant begin = clamped(from).truncatedTo(unit);
        Instant end = clamped(until).truncatedTo(unit);
        return new StatisticsQuery(
                filter.between(begin, end.isBefore(clamped(until)) ? end.plus(unit.getDuration()) : end), scope, unit);
    }

    private static Instant clamped(Instant time) {
        if (time.isBefore(FIRST)) {
            return FIRST;
        }
        return time.isAfter(LAST) ? LAST : time;
    }

    public Instant from() {
        return filter.from() == null ? FIRST : filter.from();
    }

    public Instant until() {
        return filter.until() == null ? LAST : filter.until();
    }

    /** The number of units in the period. */
    public long units() {
        return Math.max(0, Duration.between(from(), until()).dividedBy(unit.getDuration()));
    }

    /** Whether the rollup has all the columns that the filter uses. */
    boolean isInRollup() {
        return unit != ChronoUnit.MINUTES
                && filter.projectId() == null
                && filter.requestId() == null
                && filter.correlationId() == null
                && filter.conversationId() == null
                && filter.sessionId() == null
                && filter.principal() == null
                && filter.text() == null;
    }

    /** The dimensions that the filter and the scope need. */
    Grain.Dimensions dimensions() {
        Grain.Dimensions agent = filter.agentId() == null && scope == AuditReadOptions.Scope.EVERYTHING
                ? Grain.Dimensions.NONE
                : Grain.Dimensions.AGENT;
        return filter.toolName() == null ? agent : agent.and(Grain.Dimensions.TOOL);
    }
}
