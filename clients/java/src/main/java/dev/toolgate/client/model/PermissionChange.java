package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the permission history.
 *
 * @param id its number
 * @param agentId the agent
 * @param groupId the group
 * @param toolName the tool, or {@code *} for the start or end of an agent or a membership
 * @param previousState null if nothing was set
 * @param newState whether it is allowed now
 * @param changedBy who changed it
 * @param changedAt when
 * @param reason why
 * @param details the terms of a grant
 * @param more fields that this version of the client does not know
 */
public record PermissionChange(
        long id,
        @Nullable String agentId,
        @Nullable String groupId,
        String toolName,
        @Nullable Boolean previousState,
        boolean newState,
        String changedBy,
        Instant changedAt,
        @Nullable String reason,
        Map<String, Object> details,
        @JsonAnySetter Map<String, Object> more) {
    public PermissionChange {
        details = Copies.of(details);
        more = Copies.of(more);
    }
}
