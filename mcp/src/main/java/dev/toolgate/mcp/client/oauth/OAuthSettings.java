package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.http.EndpointCheck;
import java.net.URI;
import java.util.Set;

/**
 * How a client gets tokens for one server.
 *
 * @param server the URL of the server
 * @param check which URLs may be used on the way
 * @param grant by which right
 * @param scopes asked for beside those that the server wants
 * @param issuer who may get the client's secrets
 */
public record OAuthSettings(
        URI server, EndpointCheck check, OAuthGrant grant, Set<String> scopes, TrustedIssuer issuer) {
    public OAuthSettings {
        scopes = Set.copyOf(scopes);
    }
}
