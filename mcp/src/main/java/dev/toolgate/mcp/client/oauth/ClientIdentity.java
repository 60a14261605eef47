package dev.toolgate.mcp.client.oauth;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * How a client identifies itself to authorization servers, in order of preference.
 *
 * @param registered a registration made beforehand; null if there is none
 * @param issuer the authorization server that the registration belongs to; null for the first one used
 * @param metadataDocument the https URL of the client's metadata document, used as its id; null if there is none
 * @param name the display name, used for dynamic registration
 */
public record ClientIdentity(
        @Nullable ClientAuthentication registered,
        @Nullable String issuer,
        @Nullable URI metadataDocument,
        String name) {}
