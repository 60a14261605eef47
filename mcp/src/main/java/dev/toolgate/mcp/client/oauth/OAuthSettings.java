package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.http.EndpointCheck;
import java.net.URI;
import java.util.Set;

/**
 * How a client gets tokens for one server.
 *
 * @param server the URL of the server
 * @param check which URLs may be used
 * @param grant how tokens are obtained
 * @param scopes requested in addition to those that the server requires
 * @param issuer which authorization server may receive the client's secrets
 */
public record OAuthSettings(
        URI server, EndpointCheck check, OAuthGrant grant, Set<String> scopes, TrustedIssuer issuer) {
    public OAuthSettings {
        scopes = Set.copyOf(scopes);
    }
}
