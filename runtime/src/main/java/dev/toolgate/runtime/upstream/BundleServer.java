package dev.toolgate.runtime.upstream;

import dev.toolgate.core.policy.McpServer;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the MCP servers of policy bundles. They are reached by HTTP with TLS, and with the credentials in the bundle. */
final class BundleServer {
    private BundleServer() {}

    /**
     * The settings for an entry of a bundle.
     *
     * @throws IllegalArgumentException with one sentence that says what is wrong with it
     */
    static UpstreamSettings read(McpServer entry) {
        URI url;
        try {
            url = URI.create(entry.url());
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("The URL of MCP server '" + entry.name() + "' is not valid.", malformed);
        }
        return UpstreamSettings.of(entry.name(), UpstreamEndpoint.Remote.of(url).with(authorization(entry)))
                .allowing(entry.allowedTools());
    }

    private static ServerAuthorization authorization(McpServer entry) {
        JsonNode auth = entry.auth();
        if (auth == null || auth.isNull() || auth.isEmpty()) {
            return ServerAuthorization.fixed(Map.of());
        }
        String token = text(auth, "token");
        String header = text(auth, "header");
        String value = text(auth, "value");
        String type = auth.path("type").asString("");
        if (type.equals("bearer") && token != null) {
            return ServerAuthorization.fixed(Map.of("Authorization", "Bearer " + token));
        }
        if (type.equals("header") && header != null && value != null) {
            return ServerAuthorization.fixed(Map.of(header, value));
        }
        throw new IllegalArgumentException("The auth of MCP server '" + entry.name()
                + "' must be {\"type\": \"bearer\", \"token\": ...} or"
                + " {\"type\": \"header\", \"header\": ..., \"value\": ...}.");
    }

    private static @Nullable String text(JsonNode auth, String field) {
        JsonNode value = auth.path(field);
        return value.isString() && !value.stringValue().isEmpty() ? value.stringValue() : null;
    }
}
