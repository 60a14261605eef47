package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.store.identity.ApiKey;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of a key, which is never the key itself.
 *
 * @param principal how the history and the audit log call its bearer
 * @param state {@code usable}, {@code expired} or {@code revoked}
 */
record KeyAnswer(
        UUID keyId,
        String prefix,
        String principal,
        String role,
        @Nullable String agentId,
        String name,
        String state,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable String revokedBy,
        @Nullable Instant lastUsedAt) {

    static KeyAnswer of(ApiKey key, Instant now) {
        AgentId agent = key.agent();
        return new KeyAnswer(
                key.id(),
                key.prefix(),
                key.shortName(),
                key.role(),
                agent == null ? null : agent.value(),
                key.name(),
                key.state(now).name().toLowerCase(Locale.ROOT),
                key.createdAt(),
                key.createdBy(),
                key.expiresAt(),
                key.revokedAt(),
                key.revokedBy(),
                key.lastUsedAt());
    }
}
