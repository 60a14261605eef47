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

/** Groups of agents that share grants, and their members. */
public final class Groups {
    private static final int MAX_PAGE_SIZE = 1000;

    private static final String SUMMARY = """
            SELECT group_id, description, created_at, (SELECT count(*) FROM agent_group_members m
                WHERE m.tenant_id = g.tenant_id AND m.group_id = g.group_id) AS members
            FROM agent_groups g WHERE tenant_id = :tenant\n""";

    private final Statements statements;
    private final Consumer<TenantId> changed;

    /**
     * @param changed called after every change; {@link PostgresGrants#changed} of this instance
     */
    public Groups(Jdbi jdbi, Consumer<TenantId> changed) {
        this.statements = new Statements(jdbi);
        this.changed = changed;
    }

    /** Creates a group without members; false if it already exists. */
    public boolean create(TenantId tenant, Holder.Group group, @Nullable String description) {
        StoredText.checkProse("The description", description);
        return statements.inTransaction(handle -> {
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

    /** Adds an agent to a group; false if it is already a member. */
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

    /** Removes an agent from a group; false if it is not a member. */
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
     * Deletes a group with its permissions.
     *
     * @throws UnknownTarget if it does not exist
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

    /** Changes the description of a group. */
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
     * The groups of a tenant, sorted by id.
     *
     * @param after the last group of the previous page, if any
     */
    public List<GroupSummary> list(TenantId tenant, Holder.@Nullable Group after, int limit) {
        return statements.run(handle -> handle.createQuery(SUMMARY + """
                        AND group_id > :after ORDER BY group_id LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("after", after == null ? "" : after.id())
                .bind("limit", Math.clamp(limit, 1, MAX_PAGE_SIZE))
                .map(ConstructorMapper.of(GroupSummary.class))
                .list());
    }

    /** Finds a group by its id. */
    public Optional<GroupSummary> find(TenantId tenant, Holder.Group group) {
        return statements.run(handle -> handle.createQuery(SUMMARY + "AND group_id = :group")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .map(ConstructorMapper.of(GroupSummary.class))
                .findOne());
    }

    /**
     * The members of a group, sorted by id.
     *
     * @param after the last agent of the previous page, if any
     */
    public List<String> members(TenantId tenant, Holder.Group group, @Nullable AgentId after, int limit) {
        return statements.run(handle -> handle.createQuery("""
                        SELECT agent_id FROM agent_group_members
                        WHERE tenant_id = :tenant AND group_id = :group AND agent_id > :after
                        ORDER BY agent_id LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .bind("after", after == null ? "" : after.value())
                .bind("limit", Math.clamp(limit, 1, MAX_PAGE_SIZE))
                .mapTo(String.class)
                .list());
    }

    /** The groups of each of these agents, sorted; agents without groups are omitted. */
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

    /** The permissions of a group, sorted by tool. */
    public List<Permission> permissions(TenantId tenant, Holder.Group group) {
        return statements.run(handle -> handle.createQuery(PermissionRows.OF_GROUPS
                        + "WHERE p.tenant_id = :tenant AND p.group_id = :group ORDER BY p.tool_name")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .map(PermissionRows::read)
                .list());
    }

    private boolean change(TenantId tenant, Author author, Membership membership) {
        boolean different = statements.inTransaction(
                handle -> membership.change(handle, new PermissionTable(handle, tenant, author)));
        changed.accept(tenant);
        return different;
    }

    private interface Membership {
        boolean change(Handle handle, PermissionTable table);
    }
}
