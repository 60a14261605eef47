package dev.toolgate.store.grant;

import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.core.decision.Grants.Grant;
import dev.toolgate.core.decision.Grants.Refusal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads what one agent has been granted. */
final class GrantRows {
    // One statement, so that the version and the rows are of the same moment.
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

    private static final List<Grant> PLAIN_ONLY = List.of(Grant.PLAIN);

    private final CompiledConditions conditions;

    GrantRows(CompiledConditions conditions) {
        this.conditions = conditions;
    }

    // The same few names and the plain grant come a million times, so they are shared.
    AgentGrants read(ResultSet rows) throws SQLException {
        long version = 0;
        Map<String, List<Grant>> granted = new HashMap<>();
        Map<String, Refusal> refused = new HashMap<>();
        while (rows.next()) {
            version = rows.getLong("version");
            String tool = rows.getString("tool_name");
            if (tool == null) {
                continue; // nothing granted: the row only carries the version
            }
            if (rows.getBoolean("allowed")) {
                granted.merge(tool.intern(), only(grant(rows)), GrantRows::joined);
            } else {
                refused.put(tool.intern(), new Refusal(rows.getString("group_id")));
            }
        }
        granted.keySet().removeAll(refused.keySet());
        return new AgentGrants(version, Map.copyOf(granted), Map.copyOf(refused));
    }

    private Grant grant(ResultSet row) throws SQLException {
        OffsetDateTime expires = row.getObject("expires_at", OffsetDateTime.class);
        String condition = row.getString("condition");
        Integer most = row.getObject("max_uses", Integer.class);
        return new Grant(
                row.getBoolean("requires_approval") ? Approval.REQUIRED : Approval.NOT_NEEDED,
                expires == null ? null : expires.toInstant(),
                condition == null ? null : conditions.of(condition),
                // No usage row: treated as exhausted.
                most == null ? null : GrantUses.uses(row.getLong("uses_id"), most));
    }

    private static List<Grant> only(Grant grant) {
        return grant.equals(Grant.PLAIN) ? PLAIN_ONLY : List.of(grant);
    }

    private static List<Grant> joined(List<Grant> some, List<Grant> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }
}
