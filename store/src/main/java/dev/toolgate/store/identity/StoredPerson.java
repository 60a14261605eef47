package dev.toolgate.store.identity;

import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.UUID;

/**
 * A person who has logged in through a provider.
 *
 * @param tenant of the last log-in
 * @param subject the provider's id of the person, unique per issuer
 * @param name in audit records; set at the first log-in and never changed
 * @param displayName as reported by the provider at the last log-in
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
