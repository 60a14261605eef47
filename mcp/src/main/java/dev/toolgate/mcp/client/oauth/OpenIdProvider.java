package dev.toolgate.mcp.client.oauth;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect provider, by its metadata.
 *
 * @param keys where it publishes the keys that its identity tokens are signed with
 * @param endSession where a browser is sent to log out there too; null if it offers no such page
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
