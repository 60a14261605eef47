package dev.toolgate.store.grant;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.record.AuditTables;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.StatementException;

/** Determines from the audit log which grants have been used since a given time. */
public final class GrantUsage {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String CANCELLED = "57014";
    private static final String UNUSED = "unused";

    // A call whose approval was denied used its grant, too.
    private static final String QUERY =
            """
            WITH used AS MATERIALIZED (
                SELECT agent_id, tool_name FROM %1$s
                WHERE tenant_id = :tenant AND kind = 'call' AND timestamp >= :since
                    AND (allowed OR error_code LIKE 'APPROVAL%%')
                GROUP BY agent_id, tool_name)
            (SELECT 'unused' AS usage, a.* FROM (%2$s
                WHERE p.tenant_id = :tenant AND p.allowed AND p.updated_at < :since AND NOT EXISTS (
                    SELECT 1 FROM used r WHERE r.agent_id = p.agent_id AND r.tool_name = p.tool_name)
                ORDER BY p.agent_id, p.tool_name LIMIT :limit) a)
            UNION ALL
            (SELECT 'unused', g.* FROM (%3$s
                WHERE p.tenant_id = :tenant AND p.allowed AND p.updated_at < :since AND NOT EXISTS (
                    SELECT 1 FROM agent_group_members m
                    JOIN used r ON r.agent_id = m.agent_id AND r.tool_name = p.tool_name
                    WHERE m.tenant_id = p.tenant_id AND m.group_id = p.group_id)
                ORDER BY p.group_id, p.tool_name LIMIT :limit) g)
            UNION ALL
            (SELECT 'used', b.* FROM (%2$s
                JOIN used r ON r.agent_id = p.agent_id AND r.tool_name = p.tool_name
                WHERE p.tenant_id = :tenant AND p.allowed AND NOT EXISTS (
                    SELECT 1 FROM agent_group_members m JOIN group_tool_permissions o USING (tenant_id, group_id)
                    WHERE m.tenant_id = p.tenant_id AND m.agent_id = p.agent_id AND o.tool_name = p.tool_name)
                ORDER BY p.agent_id, p.tool_name LIMIT :limit) b)""".formatted(AuditTables.ALL, PermissionRows.OF_AGENTS, PermissionRows.OF_GROUPS);

    private final Jdbi jdbi;

    public GrantUsage(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** Whether all records could be read in time. */
    public enum Reach {
        ALL,
        TOO_SLOW
    }

    /**
     * Grants by use.
     *
     * @param unused grants of agents and groups that are older than the given time and were not used since
     * @param used grants of agents that none of their groups also gives them
     */
    public record Found(List<Permission> unused, List<Permission> used, Reach reach) {}

    /**
     * Evaluates the calls since a given time.
     *
     * @param limit the maximum number of grants of each kind
     */
    public Found since(TenantId tenant, Instant since, int limit) {
        List<Permission> unused = new ArrayList<>();
        List<Permission> used = new ArrayList<>();
        try {
            return jdbi.inTransaction(handle -> {
                handle.execute("SET LOCAL statement_timeout = '" + TIMEOUT.toMillis() + "ms'");
                handle.execute("SET LOCAL max_parallel_workers_per_gather = 0"); // leaves the CPUs to calls
                handle.createQuery(QUERY)
                        .bind("tenant", tenant.value())
                        .bind("since", since)
                        .bind("limit", limit)
                        .map((row, context) -> (UNUSED.equals(row.getString("usage")) ? unused : used)
                                .add(PermissionRows.read(row, context)))
                        .list();
                return new Found(unused, used, Reach.ALL);
            });
        } catch (StatementException failed) {
            if (failed.getCause() instanceof SQLException sql && CANCELLED.equals(sql.getSQLState())) {
                return new Found(List.of(), List.of(), Reach.TOO_SLOW);
            }
            throw failed;
        }
    }
}
