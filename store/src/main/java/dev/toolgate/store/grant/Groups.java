package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Statements;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jspecify.annotations.Nullable;

/** Groups of agents that share grants, and who is in them. */
public final class Groups {
    private static final int LARGEST_PAGE = 1000;

    private static final String SUMMARY = """
            SELECT group_id, description, created_at, (SELECT count(*) FROM agent_group_members m
                WHERE m.tenant_id = g.tenant_id AND m.group_id = g.group_id) AS members
            FROM agent_groups g WHERE tenant_id = :tenant\n""";

    private final Statements statements;
    private final Consumer<TenantId> changed;

    /**
     * @param changed told after every change; {@link PostgresGrants#changed} of this instance
     */
    public Groups(Jdbi jdbi, Consumer<TenantId> changed) {
        this.statements = new Statements(jdbi);
        this.changed = changed;
    }

    /** Makes a group without members; whether it is new, because making it again changes nothing. */
    public boolean create(TenantId tenant, Holder.Group group, @Nullable String description) {
        StoredText.checkProse("The description", description);
        return statements.runTogether(handle -> {
            PermissionTable.requireOne(
                    handle.createQuery("SELECT 1 FROM tenants WHERE tenant_id = :tenant FOR KEY SHARE")
                            .bind("tenant", tenant.value()),
                    "tenant",
                    tenant.value());
            return handle.createUpdate("""
                            INSERT INTO agent_groups (tenant_id, group_id, description)
                            VALUES (:tenant, :group, :description) ON CONFLICT DO NOTHING""")
                            .bind("tenant", tenant.value())
                            .bind("group", group.id())
                            .bind("description", description)
                            .execute()
                    > 0;
        });
    }

    /** Puts an agent into a group; whether it was not in it before. */
    public boolean add(TenantId tenant, Holder.Group group, AgentId agent, Author author) {
        return change(tenant, author, (handle, table) -> {
            table.register(group);
            table.register(agent);
            int added = handle.createUpdate("""
                            INSERT INTO agent_group_members (tenant_id, group_id, agent_id, added_by)
                            VALUES (:tenant, :group, :agent, :by) ON CONFLICT DO NOTHING""")
                    .bind("tenant", tenant.value())
                    .bind("group", group.id())
                    .bind("agent", agent.value())
                    .bind("by", author.by())
                    .execute();
            if (added > 0) {
                table.log().joined(agent.value(), group.id());
            }
            return added > 0;
        });
    }

    /** Takes an agent out of a group, and with it what it had through the group; whether it was in it. */
    public boolean remove(TenantId tenant, Holder.Group group, AgentId agent, Author author) {
        return change(tenant, author, (handle, table) -> {
            int removed = handle.createUpdate("""
                            DELETE FROM agent_group_members
                            WHERE tenant_id = :tenant AND group_id = :group AND agent_id = :agent""")
                    .bind("tenant", tenant.value())
                    .bind("group", group.id())
                    .bind("agent", agent.value())
                    .execute();
            if (removed > 0) {
                table.log().left(agent.value(), group.id());
            }
            return removed > 0;
        });
    }

    /**
     * Ends a group; its members lose what they had through it.
     *
     * @throws UnknownTarget if there is none
     */
    public void delete(TenantId tenant, Holder.Group group, Author author) {
        boolean _ = change(tenant, author, (handle, table) -> {
            table.register(group);
            table.log().end(group.id());
            return handle.createUpdate("DELETE FROM agent_groups WHERE tenant_id = :tenant AND group_id = :group")
                            .bind("tenant", tenant.value())
                            .bind("group", group.id())
                            .execute()
                    > 0;
        });
    }

    /** Says anew what a group is for. */
    public void describe(TenantId tenant, Holder.Group group, @Nullable String description) {
        StoredText.checkProse("The description", description);
        int changedRows = statements.run(handle -> handle.createUpdate("""
                        UPDATE agent_groups SET description = :description
                        WHERE tenant_id = :tenant AND group_id = :group""")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .bind("description", description)
                .execute());
        if (changedRows == 0) {
            throw new UnknownTarget("group", group.id());
        }
    }

    /**
     * The groups of a tenant, in order.
     *
     * @param after only groups after this one, if given: the page that follows
     */
    public List<GroupSummary> list(TenantId tenant, Holder.@Nullable Group after, int limit) {
        return statements.run(handle -> handle.createQuery(SUMMARY + """
                        AND group_id > :after ORDER BY group_id LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("after", after == null ? "" : after.id())
                .bind("limit", Math.clamp(limit, 1, LARGEST_PAGE))
                .map(ConstructorMapper.of(GroupSummary.class))
                .list());
    }

    /** One group, if there is one of this name. */
    public Optional<GroupSummary> find(TenantId tenant, Holder.Group group) {
        return statements.run(handle -> handle.createQuery(SUMMARY + "AND group_id = :group")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .map(ConstructorMapper.of(GroupSummary.class))
                .findOne());
    }

    /**
     * The members of a group, in order.
     *
     * @param after only agents after this one, if given: the page that follows
     */
    public List<String> members(TenantId tenant, Holder.Group group, @Nullable AgentId after, int limit) {
        return statements.run(handle -> handle.createQuery("""
                        SELECT agent_id FROM agent_group_members
                        WHERE tenant_id = :tenant AND group_id = :group AND agent_id > :after
                        ORDER BY agent_id LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .bind("after", after == null ? "" : after.value())
                .bind("limit", Math.clamp(limit, 1, LARGEST_PAGE))
                .mapTo(String.class)
                .list());
    }

    /** The groups of each of these agents, in order; agents without groups are left out. */
    public Map<String, List<String>> of(TenantId tenant, Collection<String> agents) {
        return statements.run(handle -> handle.createQuery("""
                        SELECT agent_id, array_agg(group_id::text ORDER BY group_id) AS groups
                        FROM agent_group_members WHERE tenant_id = :tenant AND agent_id = ANY (:agents) GROUP BY agent_id""")
                .bind("tenant", tenant.value())
                .bindArray("agents", String.class, agents)
                .map((row, _) -> Map.entry(row.getString("agent_id"), List.of((String[])
                        row.getArray("groups").getArray())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** What is set for a group, by tool. */
    public List<Permission> permissions(TenantId tenant, Holder.Group group) {
        return statements.run(handle -> handle.createQuery(PermissionRows.OF_GROUPS
                        + "WHERE p.tenant_id = :tenant AND p.group_id = :group ORDER BY p.tool_name")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .map(PermissionRows::read)
                .list());
    }

    private boolean change(TenantId tenant, Author author, Membership membership) {
        boolean different = statements.runTogether(
                handle -> membership.change(handle, new PermissionTable(handle, tenant, author)));
        changed.accept(tenant);
        return different;
    }

    private interface Membership {
        boolean change(Handle handle, PermissionTable table);
    }
}
