package dev.toolgate.store.directory;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.store.connection.Statements;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.GrantAdministration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Creates an agent together with the grants of a template, in one transaction. */
public final class AgentProvisioning {
    private final Statements statements;
    private final Agents agents;
    private final GrantAdministration grants;
    private final Consumer<TenantId> changed;

    /**
     * @param jdbi must be the same that the other arguments use, so that their statements share one transaction
     * @param changed called after the commit
     */
    public AgentProvisioning(Jdbi jdbi, Agents agents, GrantAdministration grants, Consumer<TenantId> changed) {
        this.statements = new Statements(jdbi);
        this.agents = agents;
        this.grants = grants;
        this.changed = changed;
    }

    /**
     * Creates an agent, and records that in the permission history.
     *
     * @param templateId {@code null} for an agent without grants
     * @return empty if the id is already in use
     * @throws dev.toolgate.store.grant.UnknownTarget if the tenant or the template does not exist
     */
    public Optional<Agent> create(
            TenantId tenant,
            AgentId agent,
            @Nullable String name,
            @Nullable String description,
            @Nullable String templateId,
            Author author) {
        return create(tenant, agent, name, description, TrustLevel.GUIDED, templateId, author);
    }

    /** The same, with a trust level. */
    public Optional<Agent> create(
            TenantId tenant,
            AgentId agent,
            @Nullable String name,
            @Nullable String description,
            TrustLevel trust,
            @Nullable String templateId,
            Author author) {
        Optional<Agent> made = statements.inTransaction(handle -> {
            Optional<Agent> created = agents.create(tenant, agent, name, description, trust);
            if (created.isPresent()) {
                handle.createUpdate("""
                                INSERT INTO permission_change_log
                                    (tenant_id, agent_id, tool_name, previous_state, new_state, changed_by, reason, changed_at)
                                VALUES (:tenant, :agent, '*', false, true, :by, :reason, clock_timestamp())""")
                        .bind("tenant", tenant.value())
                        .bind("agent", agent.value())
                        .bind("by", author.by())
                        .bind("reason", author.reason())
                        .execute();
                if (templateId != null) {
                    List<String> _ = grants.applyTemplate(tenant, agent, templateId, author);
                }
            }
            return created;
        });
        changed.accept(tenant);
        return made;
    }
}
