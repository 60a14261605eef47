package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants.Approval;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Writes permissions and their history, in the caller's transaction. */
final class PermissionTable {
    private final Handle handle;
    private final TenantId tenant;
    private final Author author;
    private final ChangeLog log;

    /** Locks the tenant, so that the history has changes in the order in which they took effect. */
    PermissionTable(Handle handle, TenantId tenant, Author author) {
        this.handle = handle;
        this.tenant = tenant;
        this.author = author;
        this.log = new ChangeLog(handle, tenant, author);
        requireOne(
                handle.createQuery("SELECT 1 FROM tenants WHERE tenant_id = :tenant FOR NO KEY UPDATE")
                        .bind("tenant", tenant.value()),
                "tenant",
                tenant.value());
    }

    void apply(Edit edit) {
        register(edit.holder());
        Optional<Boolean> before = state(edit);
        switch (edit.setting()) {
            case Edit.Allow allow ->
                set(edit, before, allow.terms(), allow.terms().notes());
            case Edit.Refuse refuse -> set(edit, before, null, refuse.notes());
            case Edit.Clear clear -> clear(edit, before);
        }
    }

    /** Creates an agent if it does not exist; a group must exist. */
    void register(Holder holder) {
        switch (holder) {
            case Holder.Agent agent -> register(agent.id());
            case Holder.Group group ->
                requireOne(
                        handle.createQuery("SELECT 1 FROM agent_groups WHERE tenant_id = :tenant AND group_id = :group")
                                .bind("tenant", tenant.value())
                                .bind("group", group.id()),
                        "group",
                        group.id());
        }
    }

    void register(AgentId agent) {
        handle.createUpdate("INSERT INTO agents (tenant_id, agent_id) VALUES (:tenant, :agent) ON CONFLICT DO NOTHING")
                .bind("tenant", tenant.value())
                .bind("agent", agent.value())
                .execute();
    }

    ChangeLog log() {
        return log;
    }

    static void requireOne(Query query, String kind, String id) {
        if (query.mapTo(int.class).findOne().isEmpty()) {
            throw new UnknownTarget(kind, id);
        }
    }

    private Optional<Boolean> state(Edit edit) {
        return at(edit, handle.createQuery("SELECT allowed FROM " + where(edit)))
                .mapTo(Boolean.class)
                .findOne();
    }

    private void set(Edit edit, Optional<Boolean> before, @Nullable Terms terms, @Nullable String notes) {
        String column = column(edit.holder());
        at(edit, handle.createUpdate("""
                        INSERT INTO %1$s (tenant_id, %2$s, tool_name, allowed, requires_approval, expires_at, condition,
                            condition_examples, max_uses, updated_by, notes)
                        VALUES (:tenant, :holder, :tool, :allowed, :approval, :expires, :condition, :examples::json, :uses,
                            :by, :notes)
                        ON CONFLICT (tenant_id, %2$s, tool_name) DO UPDATE SET
                            allowed = excluded.allowed, requires_approval = excluded.requires_approval,
                            expires_at = excluded.expires_at, condition = excluded.condition,
                            condition_examples = excluded.condition_examples, max_uses = excluded.max_uses,
                            updated_by = excluded.updated_by, notes = excluded.notes""".formatted(table(edit.holder()), column)))
                .bind("allowed", terms != null)
                .bind("approval", terms != null && terms.approval() == Approval.REQUIRED)
                .bind("expires", terms == null ? null : terms.expiresAt())
                .bind("condition", terms == null ? null : terms.condition())
                .bind("examples", terms == null ? null : ExamplesJson.write(terms.examples()))
                .bind("uses", terms == null ? null : terms.maxUses())
                .bind("by", author.by())
                .bind("notes", notes)
                .execute();
        log.permission(edit, before.orElse(null), terms);
    }

    private void clear(Edit edit, Optional<Boolean> before) {
        if (before.isPresent()) {
            at(edit, handle.createUpdate("DELETE FROM " + where(edit))).execute();
            log.permission(edit, before.get(), null);
        }
    }

    private <S extends SqlStatement<S>> S at(Edit edit, S statement) {
        return statement
                .bind("tenant", tenant.value())
                .bind("holder", id(edit.holder()))
                .bind("tool", edit.tool());
    }

    private static String where(Edit edit) {
        return table(edit.holder()) + " WHERE tenant_id = :tenant AND " + column(edit.holder())
                + " = :holder AND tool_name = :tool";
    }

    private static String table(Holder holder) {
        return switch (holder) {
            case Holder.Agent agent -> "agent_tool_permissions";
            case Holder.Group group -> "group_tool_permissions";
        };
    }

    private static String column(Holder holder) {
        return switch (holder) {
            case Holder.Agent agent -> "agent_id";
            case Holder.Group group -> "group_id";
        };
    }

    private static String id(Holder holder) {
        return switch (holder) {
            case Holder.Agent agent -> agent.id().value();
            case Holder.Group group -> group.id();
        };
    }
}
