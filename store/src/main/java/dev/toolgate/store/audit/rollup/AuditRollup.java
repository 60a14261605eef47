package dev.toolgate.store.audit.rollup;

import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.connection.LongStatements;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.StatementException;

/**
 * Counts audit records by time. Each chain is counted by its sequence numbers, which become visible in order and
 * without
 * gaps, and the position of each chain is stored in the transaction that adds its counts. So it does not matter which
 * instance counts, when it stops, or how late a record is written: every record is counted once.
 */
public final class AuditRollup {
    private static final int MAX_STEP = 10_000;
    private static final Duration REBUILD_WAIT = Duration.ofSeconds(10);
    private static final String LOCK_TIMED_OUT = "55P03";

    /**
     * Adds the records of a FROM clause, given as {@code $RECORDS}. Grouped first by the finest grain and then, with
     * far fewer rows, by every grain: grouping sets over the records themselves cost four times as much. Hours and days
     * are in UTC and of fixed length, so that {@code date_bin} can be used, which costs less than {@code date_trunc}.
     */
    private static final String ADD = """
            INSERT INTO audit_rollup AS r (grain, tenant_id, agent_id, tool_name, since, kind, status, allowed, error_code,
                records, last_at, timed, duration_ms, cost)
            SELECT CASE $GRAINS END, tenant_id, coalesce(agent_id, ''), coalesce(tool_name, ''), coalesce(hour, day), kind, status,
                allowed, error_code, sum(records), max(last_at), sum(timed), sum(duration_ms), sum(cost)
            FROM (SELECT *, date_bin('1 day', hour, TIMESTAMPTZ '2000-01-01 00:00Z') AS day
                  FROM (SELECT tenant_id, agent_id, tool_name, kind, status, allowed, coalesce(error_code, '') AS error_code,
                            date_bin('1 hour', timestamp, TIMESTAMPTZ '2000-01-01 00:00Z') AS hour, count(*) AS records,
                            max(timestamp) AS last_at, count(execution_time_ms) AS timed,
                            coalesce(sum(execution_time_ms), 0) AS duration_ms, coalesce(sum(cost), 0) AS cost
                        FROM $RECORDS
                        GROUP BY tenant_id, agent_id, tool_name, kind, status, allowed, coalesce(error_code, ''), hour) AS cells)
                AS counted
            GROUP BY tenant_id, kind, status, allowed, error_code, GROUPING SETS ($SETS)
            ON CONFLICT (tenant_id, grain, agent_id, tool_name, since, kind, status, allowed, error_code) DO UPDATE SET
                records = r.records + excluded.records, last_at = greatest(r.last_at, excluded.last_at),
                timed = r.timed + excluded.timed, duration_ms = r.duration_ms + excluded.duration_ms,
                cost = r.cost + excluded.cost""".replace(
                    "$GRAINS",
                    Arrays.stream(Grain.values())
                            .map(grain -> "WHEN " + grain.isGroup() + " THEN '" + grain.stored() + "'")
                            .collect(Collectors.joining(" ")))
            .replace(
                    "$SETS",
                    Arrays.stream(Grain.values())
                            .map(grain -> "(" + grain.groupedBy() + ")")
                            .collect(Collectors.joining(", ")));

    // While a month is being dropped, a retained record may be in both tables.
    private static final String IN_REST_ONLY = """
            tool_audit_logs_rest l WHERE NOT EXISTS (
                SELECT FROM tool_audit_logs m
                WHERE m.instance_id = l.instance_id AND m.sequence = l.sequence AND m.timestamp = l.timestamp)""";

    private final Jdbi jdbi;

    public AuditRollup(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** A rebuild is already running. */
    public static final class RebuildRunning extends RuntimeException {
        private static final long serialVersionUID = 1;

        RebuildRunning(Throwable cause) {
            super("The rollup is being rebuilt or counted now; try again when that is done.", cause);
        }
    }

    /**
     * Counts some of the records that are not counted yet, unless another instance is doing so.
     *
     * @return how many were counted; less than {@link #MAX_STEP} if those were all
     */
    public long step() {
        return jdbi.inTransaction(handle -> {
            if (!handle.createQuery("SELECT pg_try_advisory_xact_lock(21612, 0)")
                    .mapTo(Boolean.class)
                    .one()) {
                return 0L;
            }
            return count(handle, uncounted(handle));
        });
    }

    /** Whether a step of this size may have left records. */
    static boolean isFull(long counted) {
        return counted >= MAX_STEP;
    }

    /** A part of a chain that is not counted yet. */
    private record Range(UUID chain, long from, long to) {}

    private static List<Range> uncounted(Handle handle) {
        List<Range> ranges = new ArrayList<>();
        long left = MAX_STEP;
        for (Range whole : handle.createQuery("""
                        SELECT i.instance_id, greatest(p.sequence, i.pruned_sequence, 0), i.last_sequence
                        FROM audit_instances i LEFT JOIN audit_rollup_positions p USING (instance_id)
                        WHERE i.last_sequence > greatest(p.sequence, i.pruned_sequence, 0) ORDER BY i.number""")
                .map((row, _) -> new Range(row.getObject(1, UUID.class), row.getLong(2), row.getLong(3)))
                .list()) {
            long to = Math.min(whole.to, whole.from + left);
            ranges.add(new Range(whole.chain, whole.from, to));
            left -= to - whole.from;
            if (left == 0) {
                break;
            }
        }
        return ranges;
    }

    private static long count(Handle handle, List<Range> ranges) {
        long counted = 0;
        for (Range range : ranges) {
            handle.createUpdate(ADD.replace(
                            "$RECORDS",
                            AuditTables.ALL + " WHERE instance_id = :chain AND sequence > :from AND sequence <= :to"))
                    .bind("chain", range.chain)
                    .bind("from", range.from)
                    .bind("to", range.to)
                    .execute();
            handle.createUpdate("""
                            INSERT INTO audit_rollup_positions (instance_id, sequence) VALUES (:chain, :to)
                            ON CONFLICT (instance_id) DO UPDATE SET sequence = excluded.sequence""")
                    .bind("chain", range.chain)
                    .bind("to", range.to)
                    .execute();
            counted += range.to - range.from;
        }
        return counted;
    }

    /**
     * Counts all records of all tenants from scratch. Queries use the previous counts until it is done.
     *
     * @return the number of records
     * @throws RebuildRunning if another one does not end within ten seconds
     */
    public long rebuild() {
        try {
            return jdbi.inTransaction(handle -> {
                lock(handle);
                LongStatements.allow(handle);
                handle.execute("DELETE FROM audit_rollup");
                handle.execute("DELETE FROM audit_rollup_positions");
                // The positions first, then the records up to them: records written in between are counted later.
                handle.execute("""
                        INSERT INTO audit_rollup_positions (instance_id, sequence)
                        SELECT instance_id, last_sequence FROM audit_instances""");
                String counted = "EXISTS (SELECT FROM audit_rollup_positions p"
                        + " WHERE p.instance_id = l.instance_id AND l.sequence <= p.sequence)";
                handle.execute(ADD.replace("$RECORDS", "tool_audit_logs l WHERE " + counted));
                handle.execute(ADD.replace("$RECORDS", IN_REST_ONLY + " AND " + counted));
                return handle.createQuery(
                                "SELECT coalesce(sum(records), 0)::bigint FROM audit_rollup WHERE grain = 'hour'")
                        .mapTo(Long.class)
                        .one();
            });
        } catch (StatementException failed) {
            if (failed.getCause() instanceof SQLException sql && LOCK_TIMED_OUT.equals(sql.getSQLState())) {
                throw new RebuildRunning(failed);
            }
            throw failed;
        }
    }

    private static void lock(Handle handle) {
        handle.execute("SET LOCAL lock_timeout = '" + REBUILD_WAIT.toMillis() + "ms'");
        handle.execute("SELECT pg_advisory_xact_lock(21612, 0)");
        handle.execute("SET LOCAL lock_timeout = 0");
    }

    /**
     * Applies retention to the rollup: removes the counts of deleted records. A month that was dropped is counted again
     * from what is left of it, its refused calls.
     *
     * @param keep how long records are kept
     * @param keepRefused how long the records of refused calls are kept
     */
    public void followRetention(LocalDate today, Period keep, Period keepRefused) {
        LocalDate oldest =
                today.minus(keepRefused).isBefore(today.minus(keep)) ? today.minus(keepRefused) : today.minus(keep);
        jdbi.useTransaction(handle -> {
            lock(handle);
            LongStatements.allow(handle);
            handle.createUpdate("DELETE FROM audit_rollup WHERE since < :oldest")
                    .bind("oldest", utc(oldest))
                    .execute();
            handle.execute("DELETE FROM audit_rollup_positions p WHERE NOT EXISTS"
                    + " (SELECT FROM audit_instances i WHERE i.instance_id = p.instance_id)");
        });
        for (LocalDate month : droppedMonths(today.minus(keep))) {
            jdbi.useTransaction(handle -> {
                lock(handle);
                LongStatements.allow(handle);
                recount(handle, month);
            });
        }
    }

    /** Months that were dropped but are still counted. */
    private List<LocalDate> droppedMonths(LocalDate before) {
        return jdbi.withHandle(handle -> handle.createQuery("""
                        SELECT month FROM (
                            SELECT DISTINCT date_trunc('month', since, 'UTC') AS month FROM audit_rollup
                            WHERE since < :before AND allowed) AS counted
                        WHERE to_regclass('tool_audit_logs_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM')) IS NULL
                          AND month + interval '1 month' <= :before""")
                .bind("before", utc(before))
                .map((row, _) -> row.getObject(1, OffsetDateTime.class)
                        .withOffsetSameInstant(ZoneOffset.UTC)
                        .toLocalDate())
                .list());
    }

    private static void recount(Handle handle, LocalDate month) {
        handle.createUpdate("DELETE FROM audit_rollup WHERE since >= :from AND since < :until")
                .bind("from", utc(month))
                .bind("until", utc(month.plusMonths(1)))
                .execute();
        handle.createUpdate(ADD.replace("$RECORDS", """
                        tool_audit_logs_rest l
                        WHERE timestamp >= :from AND timestamp < :until AND EXISTS (SELECT FROM audit_rollup_positions p
                            WHERE p.instance_id = l.instance_id AND l.sequence <= p.sequence)"""))
                .bind("from", utc(month))
                .bind("until", utc(month.plusMonths(1)))
                .execute();
    }

    private static OffsetDateTime utc(LocalDate day) {
        return day.atStartOfDay().atOffset(ZoneOffset.UTC);
    }
}
