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
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Changes permissions. Every change is recorded in the history with author and reason, in the same
 * transaction, and takes effect for the next call when the method has returned.
 */
public final class GrantAdministration {
    private static final int MAX_EDITS = 10_000;

    private final Statements statements;
    private final Conditions conditions;
    private final Consumer<TenantId> changed;

    /**
     * @param conditions checks conditions before they are saved
     * @param changed called after every change; {@link PostgresGrants#changed} of this instance
     */
    public GrantAdministration(Jdbi jdbi, Conditions conditions, Consumer<TenantId> changed) {
        this.statements = new Statements(jdbi);
        this.conditions = conditions;
        this.changed = changed;
    }

    /** Grants a tool to an agent, replacing what was set before. */
    public void grant(TenantId tenant, AgentId agent, String tool, Terms terms, Author author) {
        edit(tenant, List.of(new Edit(new Holder.Agent(agent), tool, new Edit.Allow(terms))), author);
    }

    /** Denies a tool to an agent, regardless of its groups, replacing what was set before. */
    public void refuse(TenantId tenant, AgentId agent, String tool, @Nullable String notes, Author author) {
        edit(tenant, List.of(new Edit(new Holder.Agent(agent), tool, new Edit.Refuse(notes))), author);
    }

    /** Removes the agent's own permission; those of its groups are not affected. */
    public void revoke(TenantId tenant, AgentId agent, String tool, Author author) {
        edit(tenant, List.of(new Edit(new Holder.Agent(agent), tool, new Edit.Clear())), author);
    }

    /**
     * Makes many changes in one transaction.
     *
     * @throws dev.toolgate.core.decision.InvalidCondition if one of the conditions is invalid
     */
    public void edit(TenantId tenant, List<Edit> edits, Author author) {
        edit(tenant, edits, author, null);
    }

    /**
     * The same, unless the permissions of the tenant have changed in the meantime.
     *
     * @param expected the version that the changes are meant for; {@code null} for any
     * @throws VersionConflict if there is a newer version; nothing was changed
     */
    public void edit(TenantId tenant, List<Edit> edits, Author author, @Nullable Long expected) {
        if (edits.size() > MAX_EDITS) {
            throw new IllegalArgumentException(
                    "At most " + MAX_EDITS + " changes can be made at once; split them into several requests.");
        }
        checkConditions(edits);
        statements.<Integer>inTransaction(handle -> {
            if (expected != null) {
                requireVersion(handle, tenant, expected);
            }
            PermissionTable table = new PermissionTable(handle, tenant, author);
            edits.forEach(table::apply);
            return edits.size();
        });
        changed.accept(tenant);
    }

    // The row stays locked until the end of the transaction, so that no other change can come between.
    private static void requireVersion(Handle handle, TenantId tenant, long expected) {
        handle.createUpdate("INSERT INTO permission_versions (tenant_id, version) VALUES (:tenant, 0)"
                        + " ON CONFLICT (tenant_id) DO NOTHING")
                .bind("tenant", tenant.value())
                .execute();
        long found = handle.createQuery("SELECT version FROM permission_versions WHERE tenant_id = :tenant FOR UPDATE")
                .bind("tenant", tenant.value())
                .mapTo(Long.class)
                .one();
        if (found != expected) {
            throw new VersionConflict(expected, found);
        }
    }

    /**
     * Checks what {@link #edit} checks, and changes nothing.
     *
     * @throws dev.toolgate.core.decision.InvalidCondition if one of the conditions is invalid
     * @throws UnknownTarget if a group does not exist
     */
    public void check(TenantId tenant, List<Edit> edits) {
        checkConditions(edits);
        Set<String> groups = new TreeSet<>();
        edits.forEach(edit -> {
            if (edit.holder() instanceof Holder.Group group) {
                groups.add(group.id());
            }
        });
        List<String> known = statements.run(handle -> handle.createQuery(
                        "SELECT group_id FROM agent_groups WHERE tenant_id = :tenant AND group_id = ANY (:groups)")
                .bind("tenant", tenant.value())
                .bindArray("groups", String.class, groups)
                .mapTo(String.class)
                .list());
        groups.removeAll(Set.copyOf(known));
        groups.stream().findFirst().ifPresent(unknown -> {
            throw new UnknownTarget("group", unknown);
        });
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

    // In a bulk change, the message must name the tool.
    private void check(Checked condition, Edit edit, int among) {
        try {
            conditions.check(condition.text(), condition.examples());
        } catch (InvalidCondition wrong) {
            throw among == 1 ? wrong : new InvalidCondition("For tool '" + edit.tool() + "': " + wrong.getMessage());
        }
    }

    private record Checked(String text, ConditionExamples examples) {}

    /**
     * Grants an agent the tools of a template that it does not have yet. Existing permissions are not changed,
     * explicit denials in particular; only grants that are expired or used up are renewed.
     *
     * @return the tools that were granted
     */
    public List<String> applyTemplate(TenantId tenant, AgentId agent, String templateId, Author author) {
        List<String> added = statements.inTransaction(handle -> {
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
