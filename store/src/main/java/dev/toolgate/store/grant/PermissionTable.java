package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.Grants.Approval;
import dev.toolgate.core.port.Grants.Grant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Writes permissions and their history; the caller brings the transaction. */
final class PermissionTable {
    private final Handle handle;
    private final TenantId tenant;
    private final Author author;

    /** Holds the tenant, so that the history tells changes in the order in which they took effect. */
    PermissionTable(Handle handle, TenantId tenant, Author author) {
        this.handle = handle;
        this.tenant = tenant;
        this.author = author;
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
            case Edit.Allow allow -> set(edit, before, allow.grant());
            case Edit.Refuse refuse -> set(edit, before, null);
            case Edit.Clear clear -> clear(edit, before);
        }
    }

    /** An agent is known once something is granted to it; a group has to be made first. */
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

    void log(@Nullable String agent, @Nullable String group, String tool, @Nullable Boolean before, boolean after) {
        log(agent, group, tool, before, after, null);
    }

    private void log(
            @Nullable String agent,
            @Nullable String group,
            String tool,
            @Nullable Boolean before,
            boolean after,
            @Nullable Grant terms) {
        handle.createUpdate("""
                        INSERT INTO permission_change_log
                            (tenant_id, agent_id, group_id, tool_name, previous_state, new_state, changed_by, reason, details,
                             changed_at)
                        VALUES (:tenant, :agent, :group, :tool, :before, :after, :by, :reason,
                            jsonb_strip_nulls(jsonb_build_object(
                                'requires_approval', :approval::boolean, 'expires_at', :expires::timestamptz)),
                            clock_timestamp())""")
                .bind("tenant", tenant.value())
                .bind("agent", agent)
                .bind("group", group)
                .bind("tool", tool)
                .bind("before", before)
                .bind("after", after)
                .bind("by", author.by())
                .bind("reason", author.reason())
                .bind("approval", terms == null ? null : terms.approval() == Approval.REQUIRED)
                .bind("expires", terms == null ? null : terms.expiresAt())
                .execute();
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

    private void set(Edit edit, Optional<Boolean> before, @Nullable Grant grant) {
        String column = column(edit.holder());
        at(edit, handle.createUpdate("""
                        INSERT INTO %1$s (tenant_id, %2$s, tool_name, allowed, requires_approval, expires_at, updated_by, notes)
                        VALUES (:tenant, :holder, :tool, :allowed, :approval, :expires, :by, :reason)
                        ON CONFLICT (tenant_id, %2$s, tool_name) DO UPDATE SET
                            allowed = excluded.allowed, requires_approval = excluded.requires_approval,
                            expires_at = excluded.expires_at, condition = NULL, condition_examples = NULL,
                            max_uses = NULL, uses = 0, updated_by = excluded.updated_by, notes = excluded.notes""".formatted(table(edit.holder()), column)))
                .bind("allowed", grant != null)
                .bind("approval", grant != null && grant.approval() == Approval.REQUIRED)
                .bind("expires", grant == null ? null : grant.expiresAt())
                .bind("by", author.by())
                .bind("reason", author.reason())
                .execute();
        log(edit, before.orElse(null), grant);
    }

    private void clear(Edit edit, Optional<Boolean> before) {
        if (before.isPresent()) {
            at(edit, handle.createUpdate("DELETE FROM " + where(edit))).execute();
            log(edit, before.get(), null);
        }
    }

    private void log(Edit edit, @Nullable Boolean before, @Nullable Grant after) {
        switch (edit.holder()) {
            case Holder.Agent agent -> log(agent.id().value(), null, edit.tool(), before, after != null, after);
            case Holder.Group group -> log(null, group.id(), edit.tool(), before, after != null, after);
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
