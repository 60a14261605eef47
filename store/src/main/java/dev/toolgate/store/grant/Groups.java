package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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

    private final Jdbi jdbi;
    private final Consumer<TenantId> changed;

    /**
     * @param changed told after every change; {@link PostgresGrants#changed} of this instance
     */
    public Groups(Jdbi jdbi, Consumer<TenantId> changed) {
        this.jdbi = jdbi;
        this.changed = changed;
    }

    /** Makes a group without members; making it again changes nothing. */
    public void create(TenantId tenant, Holder.Group group, @Nullable String description) {
        StoredText.checkProse("The description", description);
        jdbi.useTransaction(handle -> {
            PermissionTable.requireOne(
                    handle.createQuery("SELECT 1 FROM tenants WHERE tenant_id = :tenant FOR KEY SHARE")
                            .bind("tenant", tenant.value()),
                    "tenant",
                    tenant.value());
            handle.createUpdate("""
                            INSERT INTO agent_groups (tenant_id, group_id, description)
                            VALUES (:tenant, :group, :description) ON CONFLICT DO NOTHING""")
                    .bind("tenant", tenant.value())
                    .bind("group", group.id())
                    .bind("description", description)
                    .execute();
        });
    }

    /** Puts an agent into a group. */
    public void add(TenantId tenant, Holder.Group group, AgentId agent, Author author) {
        change(tenant, author, (handle, table) -> {
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
        });
    }

    /** Takes an agent out of a group, and with it what it had through the group. */
    public void remove(TenantId tenant, Holder.Group group, AgentId agent, Author author) {
        change(tenant, author, (handle, table) -> {
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
        });
    }

    /** Ends a group; its members lose what they had through it. */
    public void delete(TenantId tenant, Holder.Group group, Author author) {
        change(tenant, author, (handle, table) -> {
            table.register(group);
            table.log().end(group.id());
            handle.createUpdate("DELETE FROM agent_groups WHERE tenant_id = :tenant AND group_id = :group")
                    .bind("tenant", tenant.value())
                    .bind("group", group.id())
                    .execute();
        });
    }

    /** Says anew what a group is for. */
    public void describe(TenantId tenant, Holder.Group group, @Nullable String description) {
        StoredText.checkProse("The description", description);
        int changedRows = jdbi.withHandle(handle -> handle.createUpdate("""
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
        return jdbi.withHandle(handle -> handle.createQuery(SUMMARY + """
                        AND group_id > :after ORDER BY group_id LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("after", after == null ? "" : after.id())
                .bind("limit", Math.clamp(limit, 1, LARGEST_PAGE))
                .map(ConstructorMapper.of(GroupSummary.class))
                .list());
    }

    /** One group, if there is one of this name. */
    public Optional<GroupSummary> find(TenantId tenant, Holder.Group group) {
        return jdbi.withHandle(handle -> handle.createQuery(SUMMARY + "AND group_id = :group")
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
        return jdbi.withHandle(handle -> handle.createQuery("""
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

    /** What is set for a group, by tool. */
    public List<Permission> permissions(TenantId tenant, Holder.Group group) {
        return jdbi.withHandle(handle -> handle.createQuery(PermissionRows.OF_GROUPS
                        + "WHERE p.tenant_id = :tenant AND p.group_id = :group ORDER BY p.tool_name")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .map(PermissionRows::read)
                .list());
    }

    private void change(TenantId tenant, Author author, Membership membership) {
        jdbi.useTransaction(handle -> membership.change(handle, new PermissionTable(handle, tenant, author)));
        changed.accept(tenant);
    }

    private interface Membership {
        void change(Handle handle, PermissionTable table);
    }
}
