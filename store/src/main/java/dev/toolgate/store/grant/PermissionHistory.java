package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

/** What is set now, what was changed by whom, and which templates there are. */
public final class PermissionHistory {
    private final Jdbi jdbi;

    public PermissionHistory(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /**
     * The changes of a tenant, newest first.
     *
     * @param agent only changes of this agent, if given
     * @param before only changes older than the one with this id, if given
     */
    public List<PermissionChange> changes(TenantId tenant, @Nullable AgentId agent, @Nullable Long before, int limit) {
        return jdbi.withHandle(handle -> handle.createQuery("""
                        SELECT id, agent_id, group_id, tool_name, previous_state, new_state, changed_by, changed_at, reason,
                            details
                        FROM permission_change_log
                        WHERE tenant_id = :tenant AND (:agent::varchar IS NULL OR agent_id = :agent)
                          AND id < coalesce(:before, 9223372036854775807)
                        ORDER BY id DESC LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("agent", agent == null ? null : agent.value())
                .bind("before", before)
                .bind("limit", Math.clamp(limit, 1, 1000))
                .map(ConstructorMapper.of(PermissionChange.class))
                .list());
    }

    /**
     * The cells of the matrix that are set, by agent and tool.
     *
     * @param after only agents after this one, if given: the page that follows
     */
    public List<Permission> permissions(TenantId tenant, @Nullable AgentId after, int limit) {
        return jdbi.withHandle(handle -> handle.createQuery("""
                        SELECT agent_id, tool_name, allowed, requires_approval, expires_at, updated_by, updated_at
                        FROM agent_tool_permissions
                        WHERE tenant_id = :tenant AND agent_id IN (
                            SELECT agent_id FROM agents WHERE tenant_id = :tenant AND agent_id > :after
                            ORDER BY agent_id LIMIT :limit)
                        ORDER BY agent_id, tool_name""")
                .bind("tenant", tenant.value())
                .bind("after", after == null ? "" : after.value())
                .bind("limit", Math.clamp(limit, 1, 1000))
                .map(ConstructorMapper.of(Permission.class))
                .list());
    }

    /** The templates, by name. */
    public List<Template> templates() {
        return jdbi.withHandle(handle -> {
            Map<String, List<String>> tools = new HashMap<>();
            handle.createQuery("SELECT template_id, tool_name FROM permission_template_tools ORDER BY tool_name")
                    .map((row, _) -> Map.entry(row.getString(1), row.getString(2)))
                    .forEach(tool -> tools.computeIfAbsent(tool.getKey(), _ -> new ArrayList<>())
                            .add(tool.getValue()));
            return handle.createQuery("SELECT template_id, name, description FROM permission_templates ORDER BY name")
                    .map((row, _) -> new Template(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            tools.getOrDefault(row.getString(1), List.of())))
                    .list();
        });
    }
}
