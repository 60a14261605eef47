package dev.toolgate.store.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.identity.SealedBytes;
import java.time.Instant;
import java.util.UUID;

/**
 * A connected account at an MCP server.
 *
 * @param id a new one each time the account is connected
 * @param subject whose calls use it, as {@link AccountSubject#text}
 * @param token the encrypted token
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
