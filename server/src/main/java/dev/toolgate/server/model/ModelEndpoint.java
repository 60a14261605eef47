package dev.toolgate.server.model;

import java.net.URI;

/**
 * The address of a provider, and the name of the secret with each tenant's key for it.
 *
 * @param secret the name of the secret, never the key itself
 */
public record ModelEndpoint(String provider, URI baseUrl, String secret) {}
