package dev.toolgate.mcp.client.http;

import java.net.URI;
import java.util.Map;

/**
 * The URL of a server.
 *
 * @param uri the one URL that all requests go to
 * @param check which URLs are allowed
 * @param headers sent with every request in addition to those of the protocol; no credentials, see {@link
 *     ServerAuthorization}
 */
public record HttpEndpoint(URI uri, EndpointCheck check, Map<String, String> headers) {
    public HttpEndpoint {
        headers = Map.copyOf(headers);
    }

    /** An endpoint without headers of its own. */
    public static HttpEndpoint of(URI uri, EndpointCheck check) {
        return new HttpEndpoint(uri, check, Map.of());
    }
}
