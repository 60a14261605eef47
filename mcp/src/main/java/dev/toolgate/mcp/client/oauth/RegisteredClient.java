package dev.toolgate.mcp.client.oauth;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dynamic registration with an authorization server.
 *
 * @param issuer the authorization server that it is valid for
 * @param secret null for a public client
 * @param method the authentication method that the server requires; null if not given
 * @param expiresAt when the secret expires; null if it does not, or there is none
 */
public record RegisteredClient(
        String issuer,
        String clientId,
        @Nullable String secret,
        @Nullable String method,
        @Nullable Instant expiresAt) {
    // Some servers send a time of expiration to public clients as well.
    public RegisteredClient {
        expiresAt = secret == null ? null : expiresAt;
    }

    @Override
    public String toString() {
        return "RegisteredClient[issuer=" + issuer + ", clientId=" + clientId + ", method=" + method + "]";
    }
}
