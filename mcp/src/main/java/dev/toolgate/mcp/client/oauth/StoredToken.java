package dev.toolgate.mcp.client.oauth;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token for one server.
 *
 * @param server the URL of the server; it is sent nowhere else
 * @param resource the server's own name for itself, for which the token was asked
 * @param issuer who issued it; the refresh token is sent nowhere else
 * @param clientId for whom
 * @param refreshToken null if there is none
 * @param expiresAt null if that is not known
 * @param scopes that were asked for so far
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
