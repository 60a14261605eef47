package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

/** Queries permissions, their history, and templates. */
public final class PermissionHistory {
    private static final int MAX_PAGE_SIZE = 1000;

    private final Statements statements;
    private final Clock clock;

    public PermissionHistory(Jdbi jdbi, Clock clock) {
        this.statements = new Statements(jdbi);
        this.clock = clock;
    }

    /**
     * The permission changes of a tenant, newest first.
     *
     * @param before the last change of the previous page, if any
     */
    public List<PermissionChange> changes(TenantId tenant, ChangeFilter filter, @Nullable Long before, int limit) {
        return statements.run(handle -> handle.createQuery("""
                        SELECT id, agent_id, group_id, tool_name, previous_state, new_state, changed_by, changed_at, reason,
                            details
                        FROM permission_change_log
                        WHERE tenant_id = :tenant AND (:agent::varchar IS NULL OR agent_id = :agent)
                          AND (:group::varchar IS NULL OR group_id = :group)
                          AND (:tool::varchar IS NULL OR tool_name = :tool)
                          AND (:by::varchar IS NULL OR changed_by = :by)
                          AND (:from::timestamptz IS NULL OR changed_at >= :from)
                          AND (:until::timestamptz IS NULL OR changed_at < :until)
                          AND id < coalesce(:before, 9223372036854775807)
                        ORDER BY id DESC LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("agent", filter.agent() == null ? null : filter.agent().value())
                .bind("group", filter.group() == null ? null : filter.group().id())
                .bind("tool", filter.tool())
                .bind("by", filter.changedBy())
                .bind("from", filter.from())
                .bind("until", filter.until())
                .bind("before", before)
                .bind("limit", Math.clamp(limit, 1, MAX_PAGE_SIZE))
                .map(ConstructorMapper.of(PermissionChange.class))
                .list());
    }

    /**
     * The permission matrix, sorted by agent.
     *
     * @param after the last agent of the previous page, if any
     */
    public PermissionPage permissions(TenantId tenant, @Nullable AgentId after, int limit) {
        int size = Math.clamp(limit, 1, MAX_PAGE_SIZE);
        return statements.inTransaction(handle -> {
            List<String> agents = handle.createQuery("""
                            SELECT agent_id FROM agents WHERE tenant_id = :tenant AND agent_id > :after
                            ORDER BY agent_id LIMIT :limit""")
                    .bind("tenant", tenant.value())
                    .bind("after", after == null ? "" : after.value())
                    .bind("limit", size)
                    .mapTo(String.class)
                    .list();
            List<Permission> cells = handle.createQuery(PermissionRows.OF_AGENTS + """
                            WHERE p.tenant_id = :tenant AND p.agent_id = ANY (:agents)
                            ORDER BY p.agent_id, p.tool_name""")
                    .bind("tenant", tenant.value())
                    .bindArray("agents", String.class, agents)
                    .map(PermissionRows::read)
                    .list();
            return new PermissionPage(agents, cells, agents.size() < size ? null : new AgentId(agents.getLast()));
        });
    }

    /** The permission of one agent for one tool, if one is set. */
    public Optional<Permission> permission(TenantId tenant, AgentId agent, String tool) {
        return statements.run(handle -> handle.createQuery(PermissionRows.OF_AGENTS
                        + "WHERE p.tenant_id = :tenant AND p.agent_id = :agent AND p.tool_name = :tool")
                .bind("tenant", tenant.value())
                .bind("agent", agent.value())
                .bind("tool", tool)
                .map(PermissionRows::read)
                .findOne());
    }

    /** The current permissions for the holders and tools of these edits. */
    public List<Permission> current(TenantId tenant, List<Edit> edits) {
        List<Edit> ofAgents = edits.stream()
                .filter(edit -> edit.holder() instanceof Holder.Agent)
                .toList();
        List<Edit> ofGroups = edits.stream()
                .filter(edit -> edit.holder() instanceof Holder.Group)
                .toList();
        return statements.run(handle -> {
            List<Permission> found = new ArrayList<>();
            found.addAll(current(handle, tenant, ofAgents, PermissionRows.OF_AGENTS, "agent_id"));
            found.addAll(current(handle, tenant, ofGroups, PermissionRows.OF_GROUPS, "group_id"));
            return found;
        });
    }

    private static List<Permission> current(
            Handle handle, TenantId tenant, List<Edit> edits, String select, String holder) {
        if (edits.isEmpty()) {
            return List.of();
        }
        return handle.createQuery(select + "WHERE p.tenant_id = :tenant AND (p." + holder + """
                        , p.tool_name) IN (SELECT * FROM unnest(:holders::varchar[], :tools::varchar[]))
                        ORDER BY p.%s, p.tool_name""".formatted(holder))
                .bind("tenant", tenant.value())
                .bindArray(
                        "holders",
                        String.class,
                        edits.stream().map(edit -> id(edit.holder())).toArray())
                .bindArray("tools", String.class, edits.stream().map(Edit::tool).toArray())
                .map(PermissionRows::read)
                .list();
    }

    private static String id(Holder holder) {
        return switch (holder) {
            case Holder.Agent agent -> agent.id().value();
            case Holder.Group group -> group.id();
        };
    }

    /** The effective permissions of an agent with their sources, sorted by tool. */
    public List<EffectivePermission> effective(TenantId tenant, AgentId agent) {
        Map<String, List<Permission>> byTool = new LinkedHashMap<>();
        statements
                .run(handle -> handle.createQuery(PermissionRows.OF_AGENTS
                                + "WHERE p.tenant_id = :tenant AND p.agent_id = :agent UNION ALL "
                                + PermissionRows.OF_GROUPS
                                + """
                        JOIN agent_group_members m ON m.tenant_id = p.tenant_id AND m.group_id = p.group_id
                        WHERE m.tenant_id = :tenant AND m.agent_id = :agent
                        ORDER BY tool_name, group_id NULLS FIRST""")
                        .bind("tenant", tenant.value())
                        .bind("agent", agent.value())
                        .map(PermissionRows::read)
                        .list())
                .forEach(permission -> byTool.computeIfAbsent(permission.toolName(), _ -> new ArrayList<>())
                        .add(permission));
        Instant now = clock.instant();
        return byTool.entrySet().stream()
                .map(tool -> combine(tool.getKey(), tool.getValue(), now))
                .toList();
    }

    private static EffectivePermission combine(String tool, List<Permission> permissions, Instant now) {
        List<EffectivePermission.Source> sources = permissions.stream()
                .map(permission -> new EffectivePermission.Source(permission, permission.state(now)))
                .toList();
        Permission.State strongest = sources.stream()
                .map(EffectivePermission.Source::state)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        return new EffectivePermission(tool, strongest, sources);
    }

    /** The templates, sorted by name. */
    public List<Template> templates() {
        return statements.run(handle -> {
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
