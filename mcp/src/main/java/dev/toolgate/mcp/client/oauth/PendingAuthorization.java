package dev.toolgate.mcp.client.oauth;

import java.net.URI;
import java.util.Set;

/**
 * An authorization that a person has yet to give. Kept until the browser comes back, and secret: the verifier proves
 * that it was begun here.
 *
 * @param page where to send the browser
 * @param state comes back with the browser
 * @param resource the server's own name for itself, for which the token is asked; empty for a log-in at the issuer
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
