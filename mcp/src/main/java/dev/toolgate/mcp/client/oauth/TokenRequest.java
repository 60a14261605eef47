package dev.toolgate.mcp.client.oauth;

import java.util.Set;

/** What a token is requested for. */
public final class TokenRequest {
    private final ProtectedResource resource;
    private final IssuerMetadata metadata;
    private final Set<String> scopes;

    /**
     * @param resource the server
     * @param metadata of the authorization server
     */
    TokenRequest(ProtectedResource resource, IssuerMetadata metadata, Set<String> scopes) {
        this.resource = resource;
        this.metadata = metadata;
        this.scopes = Set.copyOf(scopes);
    }

    /** The authorization server. */
    public String issuer() {
        return metadata.issuer();
    }

    ProtectedResource resource() {
        return resource;
    }

    IssuerMetadata metadata() {
        return metadata;
    }

    Set<String> scopes() {
        return scopes;
    }

    @Override
    public String toString() {
        return "TokenRequest[issuer=" + issuer() + ", scopes=" + scopes + "]";
    }
}
