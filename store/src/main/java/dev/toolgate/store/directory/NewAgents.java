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

/** Makes an agent together with the grants of a template: both or neither. */
public final class NewAgents {
    private final Statements statements;
    private final Agents agents;
    private final GrantAdministration grants;
    private final Consumer<TenantId> changed;

    /**
     * @param jdbi the same that the others work with, so that their statements become one transaction
     * @param changed told once the agent and its grants are there for others to see
     */
    public NewAgents(Jdbi jdbi, Agents agents, GrantAdministration grants, Consumer<TenantId> changed) {
        this.statements = new Statements(jdbi);
        this.agents = agents;
        this.grants = grants;
        this.changed = changed;
    }

    /**
     * Makes an agent; the history tells so.
     *
     * @param templateId {@code null} for an agent with nothing granted
     * @return empty if there is one with this id already
     * @throws dev.toolgate.store.grant.UnknownTarget if there is no such tenant or template
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

    /** The same, trusted so far by those who talk with it. */
    public Optional<Agent> create(
            TenantId tenant,
            AgentId agent,
            @Nullable String name,
            @Nullable String description,
            TrustLevel trust,
            @Nullable String templateId,
            Author author) {
        Optional<Agent> made = statements.runTogether(handle -> {
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
