package dev.toolgate.store.directory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.UnknownTarget;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Creates, lists, changes and deletes agents. */
public final class Agents {
    private static final String COLUMNS = "agent_id, name, description, trust_level, created_at, updated_at";
    private static final int MAX_PAGE_SIZE = 1000;

    private final Statements statements;
    private final Consumer<TenantId> removed;

    /**
     * @param removed called with the tenant after an agent is deleted, because its grants and keys are deleted too
     */
    public Agents(Jdbi jdbi, Consumer<TenantId> removed) {
        this.statements = new Statements(jdbi);
        this.removed = removed;
    }

    /**
     * Creates an agent without grants.
     *
     * @return empty if the id is already in use
     * @throws UnknownTarget if the tenant does not exist
     */
    public Optional<Agent> create(TenantId tenant, AgentId agent, @Nullable String name, @Nullable String description) {
        return create(tenant, agent, name, description, TrustLevel.GUIDED);
    }

    /** The same, with a trust level. */
    public Optional<Agent> create(
            TenantId tenant, AgentId agent, @Nullable String name, @Nullable String description, TrustLevel trust) {
        check(name, description);
        return statements.inTransaction(handle -> {
            lockTenant(handle, tenant);
            return read(at(tenant, agent, handle.createQuery("""
                            INSERT INTO agents (tenant_id, agent_id, name, description, trust_level)
                            VALUES (:tenant, :agent, :name, :description, :trust) ON CONFLICT DO NOTHING RETURNING
                            """ + COLUMNS))
                    .bind("trust", trust.wireName())
                    .bind("name", name)
                    .bind("description", description));
        });
    }

    /** One agent. */
    public Optional<Agent> find(TenantId tenant, AgentId agent) {
        return statements.run(handle -> read(at(
                tenant,
                agent,
                handle.createQuery(
                        "SELECT " + COLUMNS + " FROM agents WHERE tenant_id = :tenant AND agent_id = :agent"))));
    }

    /**
     * The agents of a tenant, sorted by id.
     *
     * @param after the last agent of the previous page, if any
     */
    public List<Agent> list(TenantId tenant, @Nullable AgentId after, int limit) {
        return list(tenant, null, after, limit);
    }

    /**
     * The same, of those with a text in their id, name or description, ignoring case.
     *
     * @param text {@code null} for all of them
     */
    public List<Agent> list(TenantId tenant, @Nullable String text, @Nullable AgentId after, int limit) {
        return statements.run(handle -> handle.createQuery("SELECT " + COLUMNS + " " + """
                        FROM agents WHERE tenant_id = :tenant AND agent_id > :after
                          AND (:text::text IS NULL OR position(lower(:text) IN
                              lower(agent_id || ' ' || coalesce(name, '') || ' ' || coalesce(description, ''))) > 0)
                        ORDER BY agent_id LIMIT :limit""")
                .bind("tenant", tenant.value())
                .bind("text", text)
                .bind("after", after == null ? "" : after.value())
                .bind("limit", Math.clamp(limit, 1, MAX_PAGE_SIZE))
                .map(ConstructorMapper.of(Agent.class))
                .list());
    }

    /** Changes name and description; empty if there is no such agent. */
    public Optional<Agent> update(TenantId tenant, AgentId agent, @Nullable String name, @Nullable String description) {
        return update(tenant, agent, name, description, null);
    }

    /**
     * The same.
     *
     * @param trust the new trust level; {@code null} to leave it unchanged
     */
    public Optional<Agent> update(
            TenantId tenant,
            AgentId agent,
            @Nullable String name,
            @Nullable String description,
            @Nullable TrustLevel trust) {
        check(name, description);
        return statements.run(handle -> read(at(tenant, agent, handle.createQuery("""
                        UPDATE agents SET name = :name, description = :description,
                            trust_level = coalesce(:trust, trust_level)
                        WHERE tenant_id = :tenant AND agent_id = :agent RETURNING
                        """ + COLUMNS))
                .bind("trust", trust == null ? null : trust.wireName())
                .bind("name", name)
                .bind("description", description)));
    }

    /**
     * Deletes an agent with its grants, memberships and keys, and records that in the permission history.
     *
     * @return whether it existed
     */
    public boolean delete(TenantId tenant, AgentId agent, Author author) {
        boolean existed = statements.inTransaction(handle -> {
            lockTenant(handle, tenant);
            log(handle, tenant, agent, author);
            return at(
                                    tenant,
                                    agent,
                                    handle.createUpdate(
                                            "DELETE FROM agents WHERE tenant_id = :tenant AND agent_id = :agent"))
                            .execute()
                    > 0;
        });
        removed.accept(tenant);
        return existed;
    }

    // One entry per deleted grant and membership, and one with the tool '*' and no group for the agent itself.
    private static void log(Handle handle, TenantId tenant, AgentId agent, Author author) {
        at(tenant, agent, handle.createUpdate("""
                        INSERT INTO permission_change_log
                            (tenant_id, agent_id, group_id, tool_name, previous_state, new_state, changed_by, reason, changed_at)
                        SELECT tenant_id, agent_id, group_id, tool_name, state, false, :by, :reason, clock_timestamp() FROM (
                            SELECT tenant_id, agent_id, NULL AS group_id, tool_name, allowed AS state
                            FROM agent_tool_permissions
                            UNION ALL
                            SELECT tenant_id, agent_id, group_id, '*', true FROM agent_group_members
                            UNION ALL
                            SELECT tenant_id, agent_id, NULL, '*', true FROM agents) AS ending
                        WHERE tenant_id = :tenant AND agent_id = :agent ORDER BY tool_name = '*', tool_name, group_id"""))
                .bind("by", author.by())
                .bind("reason", author.reason())
                .execute();
    }

    // Locked, so that the history has changes in the order in which they took effect.
    private static void lockTenant(Handle handle, TenantId tenant) {
        boolean exists = handle.createQuery("SELECT 1 FROM tenants WHERE tenant_id = :tenant FOR NO KEY UPDATE")
                .bind("tenant", tenant.value())
                .mapTo(int.class)
                .findOne()
                .isPresent();
        if (!exists) {
            throw new UnknownTarget("tenant", tenant.value());
        }
    }

    private static void check(@Nullable String name, @Nullable String description) {
        TextLimits.check("agent's name", name == null ? "" : name);
        TextLimits.check("agent's description", description == null ? "" : description);
    }

    private static Optional<Agent> read(Query query) {
        return query.map(ConstructorMapper.of(Agent.class)).findOne();
    }

    private static <S extends SqlStatement<S>> S at(TenantId tenant, AgentId agent, S statement) {
        return statement.bind("tenant", tenant.value()).bind("agent", agent.value());
    }
}
