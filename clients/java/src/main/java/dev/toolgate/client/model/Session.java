package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A session and its policy bundle.
 *
 * @param sessionId its id
 * @param agentId the agent whose session it is
 * @param workspaceId its artifact namespace
 * @param status {@code active}, {@code expired} or {@code ended}
 * @param expiresAt when it expires
 * @param createdAt when it was started
 * @param createdBy who started it
 * @param endedAt when it was ended
 * @param policyBundle its capabilities, limits and approval rules
 * @param more fields that this version of the client does not know
 */
public record Session(
        String sessionId,
        @Nullable String agentId,
        @Nullable String workspaceId,
        String status,
        Instant expiresAt,
        @Nullable Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant endedAt,
        Map<String, Object> policyBundle,
        @JsonAnySetter Map<String, Object> more) {
    public Session {
        policyBundle = Copies.of(policyBundle);
        more = Copies.of(more);
    }
}
