package dev.toolgate.store.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.identity.SealedBytes;
import dev.toolgate.store.identity.SecretDigest;
import java.time.Instant;

/**
 * An authorization that a person has begun in a browser.
 *
 * @param state what the authorization server sends back with the browser
 * @param browser what only the browser has that began
 * @param login the log-in of that browser
 * @param subject whose calls will use the account
 * @param pending what is needed to end the authorization, encrypted
 */
public record AccountRequest(
        SecretDigest state,
        SecretDigest browser,
        SecretDigest login,
        TenantId tenant,
        ServerName server,
        String subject,
        SealedBytes pending,
        Instant expiresAt) {}
