package dev.toolgate.server.admin.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.store.identity.ApiKey;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as a JSON response, without the key itself.
 *
 * @param principal the bearer's name in the permission history and the audit log
 * @param agents the agents its bearer may chat as
 * @param rotatedFrom the key that it replaces
 * @param state {@code usable}, {@code expired} or {@code revoked}
 */
record KeyAnswer(
        UUID keyId,
        String prefix,
        String principal,
        String role,
        @Nullable String agentId,
        List<String> agents,
        String name,
        String state,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable String revokedBy,
        @Nullable Instant lastUsedAt,
        @Nullable UUID rotatedFrom) {

    static KeyAnswer of(ApiKey key, Instant now) {
        AgentId agent = key.agent();
        return new KeyAnswer(
                key.id(),
                key.prefix(),
                key.principal(),
                key.role(),
                agent == null ? null : agent.value(),
                key.agents().stream().map(AgentId::value).sorted().toList(),
                key.name(),
                key.state(now).name().toLowerCase(Locale.ROOT),
                key.createdAt(),
                key.createdBy(),
                key.expiresAt(),
                key.revokedAt(),
                key.revokedBy(),
                key.lastUsedAt(),
                key.rotatedFrom());
    }
}
