package dev.toolgate.mcp.client.oauth;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect provider, by its metadata.
 *
 * @param keys the URL of the keys that its identity tokens are signed with
 * @param endSession the log-out page of the provider; null if it has none
 */
public record OpenIdProvider(
        IssuerMetadata metadata, URI keys, @Nullable URI endSession) {
    public String issuer() {
        return metadata.issuer();
    }

    @Override
    public String toString() {
        return "OpenIdProvider " + issuer();
    }
}
