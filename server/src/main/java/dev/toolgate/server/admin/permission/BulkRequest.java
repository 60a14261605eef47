package dev.toolgate.server.admin.permission;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.store.grant.Edit;
import dev.toolgate.store.grant.Holder;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Many permission changes, applied all or none.
 *
 * @param expectedVersion the version of the permissions that the changes are meant for; {@code null} for any
 */
public record BulkRequest(
        List<Change> changes,
        @Nullable String reason,
        @Nullable Long expectedVersion) {
    private static final int MAX_CHANGES = 10_000;

    public BulkRequest {
        if (changes.size() > MAX_CHANGES) {
            throw new IllegalArgumentException("At most " + MAX_CHANGES + " changes can be made at once.");
        }
    }

    /** The edits, under the canonical names of tools. */
    public List<Edit> edits(ToolNameFields tools, Instant now) {
        return IntStream.range(0, changes.size())
                .mapToObj(i -> FailureMapping.inField(
                        "changes[" + i + "]", () -> changes.get(i).edit(tools, now)))
                .toList();
    }

    /** Warnings about tools that are granted but do not exist, each once. */
    List<String> warnings(ToolNameFields tools) {
        return changes.stream()
                .filter(change -> Boolean.TRUE.equals(change.allowed))
                .flatMap(change -> tools.warning(change.toolName).stream())
                .distinct()
                .toList();
    }

    /**
     * One change of one permission.
     *
     * @param agentId either this or {@code groupId}
     * @param allowed either this or {@code clear}
     * @param clear true removes the permission
     */
    public record Change(
            @Nullable AgentId agentId,
            @Nullable String groupId,
            String toolName,
            @Nullable Boolean allowed,
            @Nullable Boolean clear,
            @Nullable Boolean requiresApproval,
            @Nullable String condition,
            WantedTerms.@Nullable Examples conditionExamples,
            @Nullable Instant expiresAt,
            @Nullable Integer maxUses,
            @Nullable String notes) {
        public Change {
            if ((agentId == null) == (groupId == null)) {
                throw new IllegalArgumentException("Give either 'agent_id' or 'group_id'.");
            }
            if ((allowed == null) == (clear == null) || Boolean.FALSE.equals(clear)) {
                throw new IllegalArgumentException("Give either 'allowed' or 'clear': true.");
            }
        }

        private Edit edit(ToolNameFields tools, Instant now) {
            Holder holder = agentId != null ? new Holder.Agent(agentId) : new Holder.Group(String.valueOf(groupId));
            return new Edit(holder, tools.canonical(toolName), setting(now));
        }

        private Edit.Setting setting(Instant now) {
            WantedTerms terms =
                    new WantedTerms(requiresApproval, condition, conditionExamples, expiresAt, maxUses, notes);
            if (allowed == null) {
                return new Edit.Clear();
            }
            return allowed ? terms.allow(now) : terms.refuse();
        }
    }
}
