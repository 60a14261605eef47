package dev.toolgate.store.identity;

import java.net.URI;
import java.time.Instant;

/**
 * A log-in that a browser has begun at a provider. Neither the state nor what the browser keeps can be read from it.
 *
 * @param network of the browser
 * @param issuer that was asked
 * @param clientId that it was asked as
 * @param redirectUri where the browser comes back to
 * @param returnTo the page of the gate to go on with
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
