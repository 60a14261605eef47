package dev.toolgate.mcp.client.oauth;

import java.net.URI;
import java.util.Set;

/**
 * An authorization that a person has not given yet. Kept until the browser is redirected back, and secret: the verifier
 * proves that it was begun here.
 *
 * @param page the URL to open in the browser
 * @param state returned unchanged in the redirect
 * @param resource the resource identifier the token is requested for; empty for a log-in at the issuer
 */
public record PendingAuthorization(
        URI page,
        String state,
        String verifier,
        String issuer,
        String clientId,
        String resource,
        URI redirectUri,
        Set<String> scopes) {
    public PendingAuthorization {
        scopes = Set.copyOf(scopes);
    }

    @Override
    public String toString() {
        return "PendingAuthorization[issuer=" + issuer + ", clientId=" + clientId + ", resource=" + resource + "]";
    }
}
