package dev.toolgate.store.audit.rollup;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.query.AuditReadOptions;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * How agents have used tools since a full hour, sorted by agent and tool.
 *
 * @param after the last agent and tool of the page before
 */
public record UsageQuery(
        TenantId tenant,
        AuditReadOptions.Scope scope,
        Instant since,
        @Nullable String agentId,
        @Nullable String toolName,
        @Nullable Place after) {

    public UsageQuery {
        since = since.truncatedTo(ChronoUnit.HOURS);
    }

    /** A position in the sort order. */
    public record Place(String agentId, String toolName) {}

    /**
     * A page.
     *
     * @param approximate whether many of the newest records are not counted yet
     */
    public record Page(boolean approximate, List<ToolUsage> usage) {}

    private static final String SELECT = """
            (SELECT agent_id, tool_name, sum(%1$s)::bigint AS calls,
                 coalesce(sum(%1$s) FILTER (WHERE NOT allowed), 0)::bigint AS refused,
                 coalesce(sum(%1$s) FILTER (WHERE allowed AND status <> 'COMPLETED'), 0)::bigint AS failed,
                 max(%2$s) FILTER (WHERE allowed) AS used_at, max(%2$s) FILTER (WHERE NOT allowed) AS refused_at,
                 coalesce(sum(cost), 0) AS cost
             FROM %3$s WHERE tenant_id = :tenant AND kind = 'call' AND %4$s%5$s
             GROUP BY agent_id, tool_name ORDER BY agent_id, tool_name LIMIT :limit)""";

    /** Reads a page of the given size. */
    public Page read(Jdbi jdbi, int limit) {
        return jdbi.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, handle -> {
            boolean isBehind = UncountedRecords.areTooMany(handle);
            String counted = SELECT.formatted(
                    "records", "last_at", "audit_rollup", "grain = 'cell_hour' AND since >= :since", conditions());
            String uncounted =
                    SELECT.formatted("1", "timestamp", UncountedRecords.FROM, "timestamp >= :since", conditions());
            List<ToolUsage> found = handle.createQuery(
                            """
                            SELECT agent_id, tool_name, sum(calls)::bigint, sum(refused)::bigint, sum(failed)::bigint,
                                max(used_at), max(refused_at), sum(cost)
                            FROM (%s) AS parts GROUP BY agent_id, tool_name ORDER BY agent_id, tool_name LIMIT :limit""".formatted(isBehind ? counted : counted + " UNION ALL " + uncounted))
                    .bind("tenant", tenant.value())
                    .bind("since", since)
                    .bind("agent", agentId)
                    .bind("tool", toolName)
                    .bind("afterAgent", after == null ? null : after.agentId)
                    .bind("afterTool", after == null ? null : after.toolName)
                    .bind("limit", limit)
                    .map((row, _) -> usage(row))
                    .list();
            return new Page(isBehind, found);
        });
    }

    // Only the conditions that are set, so that the rows of one agent are found by index.
    private String conditions() {
        return (agentId == null ? "" : " AND agent_id = :agent")
                + (toolName == null ? "" : " AND tool_name = :tool")
                + (after == null ? "" : " AND (agent_id, tool_name) > (:afterAgent, :afterTool)")
                + (scope == AuditReadOptions.Scope.EVERYTHING
                        ? ""
                        : " AND agent_id IN (SELECT agent_id FROM agents WHERE tenant_id = :tenant)");
    }

    private static ToolUsage usage(ResultSet row) throws SQLException {
        BigDecimal cost = row.getBigDecimal(8);
        return new ToolUsage(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                time(row, 6),
                time(row, 7),
                cost.signum() == 0 ? BigDecimal.ZERO : cost.stripTrailingZeros());
    }

    private static @Nullable Instant time(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
