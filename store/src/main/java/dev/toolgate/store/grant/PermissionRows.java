package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads permissions from rows. */
final class PermissionRows {
    private static final String TERMS = """
            p.tool_name, p.allowed, p.requires_approval, p.expires_at, p.condition, p.condition_examples,
            p.max_uses, coalesce(u.uses, 0) AS uses, p.notes, p.updated_by, p.updated_at""";

    /** Selects permissions of agents; {@code p} is the permission. */
    static final String OF_AGENTS = "SELECT p.agent_id, NULL::varchar AS group_id, " + TERMS
            + " FROM agent_tool_permissions p LEFT JOIN grant_uses u ON u.agent_permission_id = p.id ";

    /** Selects permissions of groups; {@code p} is the permission. */
    static final String OF_GROUPS = "SELECT NULL::varchar AS agent_id, p.group_id, " + TERMS
            + " FROM group_tool_permissions p LEFT JOIN grant_uses u ON u.group_permission_id = p.id ";

    private PermissionRows() {}

    static Permission read(ResultSet row, StatementContext context) throws SQLException {
        return new Permission(
                holder(row),
                row.getString("tool_name"),
                row.getBoolean("allowed"),
                terms(row),
                row.getInt("uses"),
                row.getString("updated_by"),
                Timestamps.read(row, "updated_at"));
    }

    private static Holder holder(ResultSet row) throws SQLException {
        String agent = row.getString("agent_id");
        return agent == null ? new Holder.Group(row.getString("group_id")) : new Holder.Agent(new AgentId(agent));
    }

    private static Terms terms(ResultSet row) throws SQLException {
        return new Terms(
                row.getBoolean("requires_approval") ? Approval.REQUIRED : Approval.NOT_NEEDED,
                Timestamps.readNullable(row, "expires_at"),
                row.getString("condition"),
                ExamplesJson.read(row.getString("condition_examples")),
                row.getObject("max_uses", Integer.class),
                row.getString("notes"));
    }
}
