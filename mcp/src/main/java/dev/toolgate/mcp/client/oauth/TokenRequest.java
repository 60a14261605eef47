package dev.toolgate.mcp.client.oauth;

import java.util.Set;

/**
 * What a token is requested for.
 *
 * @param resource the server
 * @param metadata of the authorization server
 */
public record TokenRequest(ProtectedResource resource, IssuerMetadata metadata, Set<String> scopes) {
    public TokenRequest {
        scopes = Set.copyOf(scopes);
    }

    /** The authorization server. */
    public String issuer() {
        return metadata.issuer();
    }

    @Override
    public String toString() {
        return "TokenRequest[issuer=" + issuer() + ", scopes=" + scopes + "]";
    }
}
