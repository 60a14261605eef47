package dev.toolgate.mcp.client.oauth;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token for one server.
 *
 * @param server the URL of the server; the access token is sent nowhere else
 * @param resource the resource identifier the token was requested for
 * @param issuer the authorization server; the refresh token is sent nowhere else
 * @param clientId the client it was issued to
 * @param refreshToken null if there is none
 * @param expiresAt null if unknown
 * @param scopes requested so far
 */
public record StoredToken(
        String server,
        String resource,
        String issuer,
        String clientId,
        String accessToken,
        @Nullable String refreshToken,
        @Nullable Instant expiresAt,
        Set<String> scopes) {
    public StoredToken {
        scopes = Set.copyOf(scopes);
    }

    @Override
    public String toString() {
        return "StoredToken[server=" + server + ", issuer=" + issuer + ", clientId=" + clientId + ", expiresAt="
                + expiresAt + ", scopes=" + scopes + "]";
    }
}
