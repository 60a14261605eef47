package dev.toolgate.store.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.identity.SealedBytes;
import java.time.Instant;
import java.util.UUID;

/**
 * An account at an MCP server that somebody has connected.
 *
 * @param id another one whenever the account is connected anew
 * @param subject whose calls use it, as {@link AccountSubject#text}
 * @param token encrypted
 * @param version grows with every renewal of the token
 */
public record StoredAccount(
        UUID id,
        TenantId tenant,
        ServerName server,
        String subject,
        SealedBytes token,
        String issuer,
        long version,
        String connectedBy,
        Instant connectedAt,
        Instant renewedAt) {}
