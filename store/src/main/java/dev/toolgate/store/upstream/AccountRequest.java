package dev.toolgate.store.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.identity.SealedBytes;
import dev.toolgate.store.identity.SecretDigest;
import java.time.Instant;

/**
 * An authorization that a person has begun in a browser.
 *
 * @param state the digest of the state that the authorization server returns
 * @param browser the digest of a secret of the browser that began it
 * @param login the console log-in of that browser
 * @param subject whose calls will use the account
 * @param pending the encrypted data for completing the authorization
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
