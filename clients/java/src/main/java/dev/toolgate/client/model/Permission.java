package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an agent or a group may do with a tool.
 *
 * @param source {@code agent} or {@code group}
 * @param agentId the agent that has it
 * @param groupId the group that has it
 * @param toolName the tool
 * @param allowed false is an explicit refusal
 * @param state its effect now
 * @param requiresApproval whether each call needs an approval
 * @param condition a condition that calls must match, in CEL
 * @param expiresAt when it expires
 * @param maxUses the maximum number of calls
 * @param uses the number of calls so far
 * @param notes a note
 * @param updatedBy who set it
 * @param updatedAt when it was set
 * @param warning for example that no tool has this name
 * @param more fields that this version of the client does not know
 */
public record Permission(
        String source,
        @Nullable String agentId,
        @Nullable String groupId,
        String toolName,
        boolean allowed,
        String state,
        boolean requiresApproval,
        @Nullable String condition,
        @Nullable Instant expiresAt,
        @Nullable Integer maxUses,
        long uses,
        @Nullable String notes,
        @Nullable String updatedBy,
        @Nullable Instant updatedAt,
        @Nullable String warning,
        @JsonAnySetter Map<String, Object> more) {
    public Permission {
        more = Copies.of(more);
    }
}
