package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.UUID;

/**
 * A person who has logged in through a provider.
 *
 * @param tenant of the last log-in
 * @param subject the provider's id of the person, which means something only together with the issuer
 * @param name in records; made at the first log-in and never changed
 * @param displayName as the provider said at the last log-in
 */
public record StoredPerson(
        UUID id,
        TenantId tenant,
        String issuer,
        String subject,
        String name,
        String displayName,
        Instant firstLoginAt,
        Instant lastLoginAt) {}
