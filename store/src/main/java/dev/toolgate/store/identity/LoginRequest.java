package dev.toolgate.store.identity;

import java.net.URI;
import java.time.Instant;

/**
 * A log-in that a browser has begun at a provider. The state and the browser's secret are stored as digests only.
 *
 * @param network of the browser
 * @param issuer of the provider
 * @param clientId of the gate at the provider
 * @param redirectUri the URL that the provider redirects to
 * @param returnTo the page of the gate to open after the log-in
 */
public record LoginRequest(
        SecretDigest state,
        SecretDigest browser,
        String network,
        String issuer,
        String clientId,
        URI redirectUri,
        String returnTo,
        Instant expiresAt) {}
