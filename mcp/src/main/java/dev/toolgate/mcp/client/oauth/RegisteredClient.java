package dev.toolgate.mcp.client.oauth;

import org.jspecify.annotations.Nullable;

/**
 * A dynamic registration with an authorization server.
 *
 * @param issuer the authorization server that it is valid for
 * @param secret null for a public client
 * @param method the authentication method that the server requires; null if not given
 */
public record RegisteredClient(
        String issuer,
        String clientId,
        @Nullable String secret,
        @Nullable String method) {
    @Override
    public String toString() {
        return "RegisteredClient[issuer=" + issuer + ", clientId=" + clientId + ", method=" + method + "]";
    }
}
