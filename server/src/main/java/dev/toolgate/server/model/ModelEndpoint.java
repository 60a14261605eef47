package dev.toolgate.server.model;

import java.net.URI;

/**
 * Where a provider's models are, and under which name each tenant keeps its key for it.
 *
 * @param secret the name of the key; never the key itself
 */
public record ModelEndpoint(String provider, URI baseUrl, String secret) {}
