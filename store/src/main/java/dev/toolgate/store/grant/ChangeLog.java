package dev.toolgate.store.grant;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants.Approval;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** Writes the permission history, in the caller's transaction. */
final class ChangeLog {
    /** The tool name in entries about a membership. */
    private static final String ANY_TOOL = "*";

    private final Handle handle;
    private final TenantId tenant;
    private final Author author;

    ChangeLog(Handle handle, TenantId tenant, Author author) {
        this.handle = handle;
        this.tenant = tenant;
        this.author = author;
    }

    /** An agent was added to a group. */
    void joined(String agent, String group) {
        line(agent, group, ANY_TOOL, false, true, null);
    }

    /** An agent was removed from a group. */
    void left(String agent, String group) {
        line(agent, group, ANY_TOOL, true, false, null);
    }

    /** A permission was set or removed. */
    void permission(Edit edit, @Nullable Boolean before, @Nullable Terms after) {
        switch (edit.holder()) {
            case Holder.Agent agent -> line(agent.id().value(), null, edit.tool(), before, after != null, after);
            case Holder.Group group -> line(null, group.id(), edit.tool(), before, after != null, after);
        }
    }

    /** A group is about to be deleted, with its permissions and memberships. */
    void end(String group) {
        at(group, """
                INSERT INTO permission_change_log
                    (tenant_id, group_id, tool_name, previous_state, new_state, changed_by, reason, changed_at)
                SELECT tenant_id, group_id, tool_name, allowed, false, :by, :reason, clock_timestamp()
                FROM group_tool_permissions WHERE tenant_id = :tenant AND group_id = :group ORDER BY tool_name""");
        at(group, """
                INSERT INTO permission_change_log
                    (tenant_id, agent_id, group_id, tool_name, previous_state, new_state, changed_by, reason, changed_at)
                SELECT tenant_id, agent_id, group_id, '*', true, false, :by, :reason, clock_timestamp()
                FROM agent_group_members WHERE tenant_id = :tenant AND group_id = :group ORDER BY agent_id""");
    }

    private void at(String group, String insert) {
        author(handle.createUpdate(insert)).bind("group", group).execute();
    }

    private void line(
            @Nullable String agent,
            @Nullable String group,
            String tool,
            @Nullable Boolean before,
            boolean after,
            @Nullable Terms terms) {
        author(handle.createUpdate("""
                        INSERT INTO permission_change_log
                            (tenant_id, agent_id, group_id, tool_name, previous_state, new_state, changed_by, reason, details,
                             changed_at)
                        VALUES (:tenant, :agent, :group, :tool, :before, :after, :by, :reason,
                            jsonb_strip_nulls(jsonb_build_object(
                                'requires_approval', :approval::boolean, 'expires_at', :expires::timestamptz,
                                'condition', :condition::text, 'max_uses', :uses::integer)),
                            clock_timestamp())"""))
                .bind("agent", agent)
                .bind("group", group)
                .bind("tool", tool)
                .bind("before", before)
                .bind("after", after)
                .bind("approval", terms == null ? null : terms.approval() == Approval.REQUIRED)
                .bind("expires", terms == null ? null : terms.expiresAt())
                .bind("condition", terms == null ? null : terms.condition())
                .bind("uses", terms == null ? null : terms.maxUses())
                .execute();
    }

    private Update author(Update update) {
        return update.bind("tenant", tenant.value()).bind("by", author.by()).bind("reason", author.reason());
    }
}
