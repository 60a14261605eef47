package dev.toolgate.store.grant;

import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Function;

/** Reads the grants of one agent. */
final class GrantRows {
    // One statement, so that version and rows are of the same snapshot.
    static final String LOAD = """
            SELECT coalesce((SELECT version FROM permission_versions WHERE tenant_id = me.tenant_id), 0) AS version,
                   p.group_id, p.tool_name, p.allowed, p.requires_approval, p.expires_at, p.condition, p.max_uses, p.uses_id
            FROM (SELECT ?::varchar AS tenant_id, ?::varchar AS agent_id) me
            LEFT JOIN LATERAL (
                SELECT NULL AS group_id, tool_name, allowed, requires_approval, expires_at, condition, a.max_uses, u.uses_id
                FROM agent_tool_permissions a LEFT JOIN grant_uses u ON u.agent_permission_id = a.id
                WHERE a.tenant_id = me.tenant_id AND a.agent_id = me.agent_id
                UNION ALL
                SELECT group_id, tool_name, allowed, requires_approval, expires_at, condition, g.max_uses, u.uses_id
                FROM agent_group_members m JOIN group_tool_permissions g USING (tenant_id, group_id)
                LEFT JOIN grant_uses u ON u.group_permission_id = g.id
                WHERE m.tenant_id = me.tenant_id AND m.agent_id = me.agent_id
            ) p ON true""";

    private final Function<String, Condition> conditions;

    /**
     * @param conditions returns the condition with a given text
     */
    GrantRows(Function<String, Condition> conditions) {
        this.conditions = conditions;
    }

    AgentGrants read(ResultSet rows) throws SQLException {
        long version = 0;
        GrantCombination grants = new GrantCombination();
        while (rows.next()) {
            version = rows.getLong("version");
            String tool = rows.getString("tool_name");
            if (tool == null) {
                continue; // nothing granted: the row only carries the version
            }
            if (rows.getBoolean("allowed")) {
                grants.grant(tool, grant(rows));
            } else {
                grants.refuse(tool, rows.getString("group_id"));
            }
        }
        return grants.at(version);
    }

    /** The grant of a row with the columns of {@link #LOAD}. */
    Grant grant(ResultSet row) throws SQLException {
        String condition = row.getString("condition");
        Integer maxUses = row.getObject("max_uses", Integer.class);
        return new Grant(
                row.getBoolean("requires_approval") ? Approval.REQUIRED : Approval.NOT_NEEDED,
                Timestamps.readNullable(row, "expires_at"),
                condition == null ? null : conditions.apply(condition),
                // No usage row: treated as exhausted.
                maxUses == null ? null : GrantUses.uses(row.getLong("uses_id"), maxUses));
    }
}
