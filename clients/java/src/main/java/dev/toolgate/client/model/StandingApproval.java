package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An approval of an agent's further calls of a tool.
 *
 * @param standingId its id
 * @param agentId the agent
 * @param toolName the tool
 * @param sessionId only calls of this session; all of the agent's if null
 * @param grantedBy who gave it
 * @param reason why
 * @param createdAt when
 * @param expiresAt when it ends
 * @param more fields that this version of the client does not know
 */
public record StandingApproval(
        String standingId,
        String agentId,
        String toolName,
        @Nullable String sessionId,
        String grantedBy,
        @Nullable String reason,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @JsonAnySetter Map<String, Object> more) {
    public StandingApproval {
        more = Copies.of(more);
    }
}
