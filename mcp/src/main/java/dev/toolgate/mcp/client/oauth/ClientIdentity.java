package dev.toolgate.mcp.client.oauth;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Who a client is to authorization servers, in the order in which it is used.
 *
 * @param registered a registration made beforehand; null if there is none
 * @param issuer the only authorization server that the registration is for; null for the first one that is met
 * @param metadataDocument an https URL that describes the client, used as its id; null if there is none
 * @param name for people, used when the client registers itself
 */
public record ClientIdentity(
        @Nullable ClientAuthentication registered,
        @Nullable String issuer,
        @Nullable URI metadataDocument,
        String name) {}
