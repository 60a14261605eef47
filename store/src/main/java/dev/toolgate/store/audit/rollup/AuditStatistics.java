package dev.toolgate.store.audit.rollup;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.store.audit.query.AuditConditions;
import dev.toolgate.store.audit.query.AuditReadOptions;
import dev.toolgate.store.audit.record.AuditTables;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/**
 * Counts audit records: from the rollup and the records since it, or from the records alone if the rollup lacks a
 * filtered column. Reads a bounded number of rows, newest first, and reports whether there were more.
 */
public final class AuditStatistics {
    private static final int MAX_ROLLUP_ROWS = 200_000;
    private static final int MAX_RECORDS = 50_000;

    private final Jdbi jdbi;

    public AuditStatistics(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** Counts records by time and status. */
    public AuditHistogram histogram(StatisticsQuery query) {
        return inSnapshot(handle -> {
            Source source = Source.of(handle, query, query.dimensions());
            SortedMap<Instant, Map<AuditLog.Status, Long>> buckets = new TreeMap<>();
            long[] read = new long[1];
            source.bind(handle, """
                            SELECT date_trunc('%s', at, 'UTC'), status, coalesce(sum(n) FILTER (WHERE matched), 0)::bigint, sum(bounded)
                            FROM (%s) AS counted GROUP BY 1, 2""".formatted(unitName(query.unit()), source.sql))
                    .map((row, _) -> {
                        read[0] += row.getLong(4);
                        if (row.getLong(3) > 0) {
                            buckets.computeIfAbsent(
                                            row.getObject(1, OffsetDateTime.class)
                                                    .toInstant(),
                                            _ -> new EnumMap<>(AuditLog.Status.class))
                                    .put(AuditLog.Status.valueOf(row.getString(2)), row.getLong(3));
                        }
                        return row.getLong(3);
                    })
                    .list();
            return new AuditHistogram(query, source.isApproximate(read[0]), buckets);
        });
    }

    /**
     * The most frequent values of each column.
     *
     * @param max the maximum number of values of a column
     */
    public List<AuditFacet> facets(StatisticsQuery query, int max) {
        return inSnapshot(handle -> {
            List<AuditFacet> facets = new ArrayList<>();
            for (AuditFacet.Column column : AuditFacet.Column.values()) {
                facets.add(facet(handle, query, column, max));
            }
            return facets;
        });
    }

    private static AuditFacet facet(Handle handle, StatisticsQuery query, AuditFacet.Column column, int max) {
        Source source = Source.of(handle, query, query.dimensions().and(column.dimensions()));
        List<AuditFacet.Count> counts = new ArrayList<>();
        long[] read = new long[1];
        source.bind(handle, """
                        SELECT value, n, total FROM (
                            SELECT %1$s AS value, coalesce(sum(n) FILTER (WHERE matched), 0)::bigint AS n,
                                sum(sum(bounded)) OVER () AS total
                            FROM (%2$s) AS counted GROUP BY 1) AS valued
                        ORDER BY (n > 0 AND value <> '') DESC, n DESC, value LIMIT %3$d""".formatted(column.columnName(), source.sql, max + 1))
                .map((row, _) -> {
                    read[0] = row.getLong(3);
                    return row.getLong(2) > 0
                            && !row.getString(1).isEmpty()
                            && counts.add(new AuditFacet.Count(row.getString(1), row.getLong(2)));
                })
                .list();
        boolean isCut = counts.size() > max;
        return new AuditFacet(
                column, source.isApproximate(read[0]), isCut, List.copyOf(isCut ? counts.subList(0, max) : counts));
    }

    private <T> T inSnapshot(HandleCallback<T, RuntimeException> query) {
        return jdbi.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, query);
    }

    private static String unitName(ChronoUnit unit) {
        String plural = unit.name().toLowerCase(Locale.ROOT);
        return plural.substring(0, plural.length() - 1);
    }

    /**
     * Rows to count: the time ({@code at}), the columns, the number of records ({@code n}), whether the filter {@code
     * matched} it, and whether it counts towards the maximum ({@code bounded}).
     */
    private record Source(String sql, AuditConditions conditions, int max, boolean isBehind) {
        static Source of(Handle handle, StatisticsQuery query, Grain.Dimensions dimensions) {
            AuditReadOptions reading = new AuditReadOptions(AuditReadOptions.Order.NEWEST_FIRST, query.scope());
            AuditConditions conditions = new AuditConditions(query.filter(), reading, null);
            if (!query.isInRollup()) {
                return new Source(records(conditions, reading), conditions, MAX_RECORDS, false);
            }
            boolean isBehind = UncountedRecords.areTooMany(handle);
            String rollup = rollup(query, reading, Grain.of(query.unit(), dimensions));
            return new Source(
                    isBehind ? rollup : rollup + " UNION ALL " + uncounted(conditions),
                    conditions,
                    MAX_ROLLUP_ROWS,
                    isBehind);
        }

        private static String records(AuditConditions conditions, AuditReadOptions reading) {
            return """
                    SELECT timestamp AS at, agent_id, tool_name, kind, status, coalesce(error_code, '') AS error_code, 1 AS n,
                        (%s) AS matched, 1 AS bounded
                    FROM (SELECT * FROM %s WHERE %s%s LIMIT %d) AS records""".formatted(
                            conditions.sql(),
                            AuditTables.ALL,
                            conditions.scanned(),
                            reading.order().sql(),
                            MAX_RECORDS);
        }

        private static String rollup(StatisticsQuery query, AuditReadOptions reading, Grain grain) {
            String all = new AuditConditions(query.filter().between(null, null), reading, null).sql();
            String agent = query.filter().agentId() == null ? "" : " AND agent_id = :agent";
            String tool = query.filter().toolName() == null ? "" : " AND tool_name = :tool";
            String indexed =
                    switch (grain) {
                        case HOUR -> "";
                        case TOOL_HOUR, TOOL_DAY -> " AND agent_id = ''" + tool;
                        case CELL_HOUR -> agent.isEmpty() ? "" : agent + tool;
                        case AGENT_DAY -> agent;
                    };
            return """
                    (SELECT since AS at, agent_id, tool_name, kind, status, error_code, records AS n, (%s) AS matched, 1 AS bounded
                     FROM (SELECT * FROM audit_rollup
                           WHERE tenant_id = :tenant AND grain = '%s' AND since >= :from AND since < :until%s
                           ORDER BY since DESC LIMIT %d) AS cells)""".formatted(all, grain.stored(), indexed, MAX_ROLLUP_ROWS);
        }

        private static String uncounted(AuditConditions conditions) {
            return """
                    SELECT timestamp, agent_id, tool_name, kind, status, coalesce(error_code, ''), 1, (%s), 0
                    FROM %s""".formatted(conditions.sql(), UncountedRecords.FROM);
        }

        Query bind(Handle handle, String statement) {
            return conditions.bind(handle.createQuery(statement));
        }

        boolean isApproximate(long read) {
            return isBehind || read >= max;
        }
    }
}
