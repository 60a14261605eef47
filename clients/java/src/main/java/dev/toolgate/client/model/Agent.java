package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent.
 *
 * @param agentId its id
 * @param name its display name
 * @param description what it is for
 * @param trustLevel how much it may do without approvals in conversations
 * @param createdAt when it was created
 * @param updatedAt when it was last changed
 * @param more fields that this version of the client does not know
 */
public record Agent(
        String agentId,
        @Nullable String name,
        @Nullable String description,
        String trustLevel,
        @Nullable Instant createdAt,
        @Nullable Instant updatedAt,
        @JsonAnySetter Map<String, Object> more) {
    public Agent {
        more = Copies.of(more);
    }
}
