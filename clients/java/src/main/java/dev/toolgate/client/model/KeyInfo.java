package dev.toolgate.client.model;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a key, without the key itself.
 *
 * @param keyId its id
 * @param prefix the beginning of the key, to recognise it
 * @param principal the bearer's name in the audit log
 * @param role the bearer's role
 * @param agentId the bearer's agent
 * @param agents the agents the bearer may chat as
 * @param name its display name
 * @param state {@code usable}, {@code expired} or {@code revoked}
 * @param createdAt when it was made
 * @param createdBy who made it
 * @param expiresAt when it expires
 * @param revokedAt when it was revoked
 * @param lastUsedAt when it was last used, to about a minute
 * @param rotatedFrom the key that it replaces
 * @param more fields that this version of the client does not know
 */
public record KeyInfo(
        String keyId,
        String prefix,
        String principal,
        String role,
        @Nullable String agentId,
        List<String> agents,
        String name,
        String state,
        @Nullable Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt,
        @Nullable String rotatedFrom,
        @JsonAnySetter Map<String, Object> more) {
    public KeyInfo {
        agents = agents == null ? List.of() : List.copyOf(agents);
        more = Copies.of(more);
    }
}
