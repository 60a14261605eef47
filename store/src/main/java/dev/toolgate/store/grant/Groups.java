package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Groups of agents that share grants, and who is in them. */
public final class Groups {
    private static final String ANY_TOOL = "*";

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
        jdbi.useHandle(handle -> handle.createUpdate("""
                        INSERT INTO agent_groups (tenant_id, group_id, description) VALUES (:tenant, :group, :description)
                        ON CONFLICT DO NOTHING""")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .bind("description", description)
                .execute());
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
                table.log(agent.value(), group.id(), ANY_TOOL, false, true);
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
                table.log(agent.value(), group.id(), ANY_TOOL, true, false);
            }
        });
    }

    /** The groups of a tenant, in order. */
    public List<String> list(TenantId tenant) {
        return jdbi.withHandle(handle -> handle.createQuery(
                        "SELECT group_id FROM agent_groups WHERE tenant_id = :tenant ORDER BY group_id")
                .bind("tenant", tenant.value())
                .mapTo(String.class)
                .list());
    }

    /** The members of a group, in order. */
    public List<String> members(TenantId tenant, Holder.Group group) {
        return jdbi.withHandle(handle -> handle.createQuery("""
                        SELECT agent_id FROM agent_group_members
                        WHERE tenant_id = :tenant AND group_id = :group ORDER BY agent_id""")
                .bind("tenant", tenant.value())
                .bind("group", group.id())
                .mapTo(String.class)
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
