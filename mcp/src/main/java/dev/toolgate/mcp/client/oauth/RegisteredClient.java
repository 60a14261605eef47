package dev.toolgate.mcp.client.oauth;

import org.jspecify.annotations.Nullable;

/**
 * A registration that an authorization server made on request.
 *
 * @param issuer the server that made it; it means nothing elsewhere
 * @param secret null for a public client
 * @param method how the server wants the client to prove itself; null if it did not say
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
