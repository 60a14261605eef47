package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.store.connection.Statements;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Changes who may use what. Every change is in the history, with who and why, in the same
 * transaction; and it holds for the next call once the method has returned.
 */
public final class GrantAdministration {
    private static final int MOST_EDITS = 10_000;

    private final Statements statements;
    private final Conditions conditions;
    private final Consumer<TenantId> changed;

    /**
     * @param conditions checks a condition before it is saved
     * @param changed told after every change; {@link PostgresGrants#changed} of this instance
     */
    public GrantAdministration(Jdbi jdbi, Conditions conditions, Consumer<TenantId> changed) {
        this.statements = new Statements(jdbi);
        this.conditions = conditions;
        this.changed = changed;
    }

    /** Grants a tool to an agent, in place of whatever was set before. */
    public void grant(TenantId tenant, AgentId agent, String tool, Terms terms, Author author) {
        edit(tenant, List.of(new Edit(new Holder.Agent(agent), tool, new Edit.Allow(terms))), author);
    }

    /** Says no to an agent, whatever its groups may use, in place of whatever was set before. */
    public void refuse(TenantId tenant, AgentId agent, String tool, @Nullable String notes, Author author) {
        edit(tenant, List.of(new Edit(new Holder.Agent(agent), tool, new Edit.Refuse(notes))), author);
    }

    /** Takes back what was set for an agent; what it has through groups stays. */
    public void revoke(TenantId tenant, AgentId agent, String tool, Author author) {
        edit(tenant, List.of(new Edit(new Holder.Agent(agent), tool, new Edit.Clear())), author);
    }

    /**
     * Makes many changes at once: all of them, or none.
     *
     * @throws dev.toolgate.core.decision.InvalidCondition if a condition among them cannot be used
     */
    public void edit(TenantId tenant, List<Edit> edits, Author author) {
        if (edits.size() > MOST_EDITS) {
            throw new IllegalArgumentException("At most " + MOST_EDITS + " changes can be made at once.");
        }
        checkConditions(edits);
        statements.<Integer>runTogether(handle -> {
            PermissionTable table = new PermissionTable(handle, tenant, author);
            edits.forEach(table::apply);
            return edits.size();
        });
        changed.accept(tenant);
    }

    private void checkConditions(List<Edit> edits) {
        Set<Checked> checked = new HashSet<>();
        for (Edit edit : edits) {
            if (edit.setting() instanceof Edit.Allow allow && allow.terms().condition() != null) {
                Checked condition =
                        new Checked(allow.terms().condition(), allow.terms().examples());
                if (checked.add(condition)) {
                    check(condition, edit, edits.size());
                }
            }
        }
    }

    // Of many, the one that is wrong has to be named.
    private void check(Checked condition, Edit edit, int among) {
        try {
            conditions.check(condition.text(), condition.examples());
        } catch (InvalidCondition wrong) {
            throw among == 1 ? wrong : new InvalidCondition("For tool '" + edit.tool() + "': " + wrong.getMessage());
        }
    }

    private record Checked(String text, ConditionExamples examples) {}

    /**
     * Grants an agent the tools of a template that it does not have yet. What is set already stays
     * as it is, an explicit no in particular; only a grant that has expired or is used up is renewed.
     *
     * @return the tools that were added
     */
    public List<String> applyTemplate(TenantId tenant, AgentId agent, String templateId, Author author) {
        List<String> added = statements.runTogether(handle -> {
            PermissionTable table = new PermissionTable(handle, tenant, author);
            PermissionTable.requireOne(
                    handle.createQuery("SELECT 1 FROM permission_templates WHERE template_id = :template")
                            .bind("template", templateId),
                    "template",
                    templateId);
            List<String> missing = handle.createQuery("""
                            SELECT t.tool_name FROM permission_template_tools t
                            LEFT JOIN agent_tool_permissions p
                                ON p.tenant_id = :tenant AND p.agent_id = :agent AND p.tool_name = t.tool_name
                            LEFT JOIN grant_uses u ON u.agent_permission_id = p.id
                            WHERE t.template_id = :template AND (p.tool_name IS NULL
                                OR (p.allowed AND (p.expires_at <= clock_timestamp() OR u.uses = u.max_uses)))
                            ORDER BY t.tool_name""")
                    .bind("tenant", tenant.value())
                    .bind("agent", agent.value())
                    .bind("template", templateId)
                    .mapTo(String.class)
                    .list();
            table.register(agent);
            missing.forEach(tool -> table.apply(new Edit(new Holder.Agent(agent), tool, new Edit.Allow(Terms.PLAIN))));
            return missing;
        });
        changed.accept(tenant);
        return added;
    }
}
