package dev.toolgate.store.audit.rollup;

import dev.toolgate.core.audit.AuditLog;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;

/**
 * How many records there are in each period.
 *
 * @param query what was counted
 * @param approximate whether records were left out, because counting all would take too long
 * @param buckets by the start of the period; those without records are left out
 */
public record AuditHistogram(
        StatisticsQuery query, boolean approximate, SortedMap<Instant, Map<AuditLog.Status, Long>> buckets) {}
