package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The protected resource metadata of a server (RFC 9728).
 *
 * @param resource the server's resource identifier
 * @param issuers the authorization servers that it names, at least one
 * @param scopes that it supports; empty if not given
 */
record ProtectedResource(String resource, List<String> issuers, Set<String> scopes) {
    private static final int MAX_ISSUERS = 20;
    private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

    /**
     * Fetches the metadata of a server.
     *
     * @param named the metadata URL that the server gave; null if it gave none
     */
    static ProtectedResource discover(OAuthHttp http, URI server, @Nullable String named) throws McpFailure {
        boolean unavailable = false;
        for (URI place : places(http, server, named)) {
            OAuthHttp.Reply reply = http.get("resource metadata", place);
            ObjectNode json = reply.json();
            if (reply.status() == 200 && json != null) {
                return read(server, json);
            }
            unavailable |= reply.isTemporaryFailure();
        }
        if (unavailable) {
            throw new McpFailure(
                    McpFailureKind.UNREACHABLE,
                    "The server's metadata, which names its issuer, is unavailable; try again later.");
        }
        throw new McpFailure(
                McpFailureKind.UNAUTHORIZED,
                "The server requires a token but has no metadata that names its issuer (RFC 9728).");
    }

    private static List<URI> places(OAuthHttp http, URI server, @Nullable String named) throws McpFailure {
        if (named != null) {
            return List.of(http.check().require("resource metadata", named));
        }
        List<URI> places = new ArrayList<>();
        String path = path(server);
        if (!path.isEmpty()) {
            places.add(server.resolve(WELL_KNOWN + path));
        }
        places.add(server.resolve(WELL_KNOWN));
        return places;
    }

    private static ProtectedResource read(URI server, ObjectNode json) throws McpFailure {
        String resource = json.path("resource").asString("");
        if (!covers(resource, server)) {
            throw new McpFailure(
                    McpFailureKind.UNAUTHORIZED,
                    "The server's metadata is for another server, so no token is requested.");
        }
        List<String> issuers = json.path("authorization_servers")
                .valueStream()
                .limit(MAX_ISSUERS)
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .toList();
        if (issuers.isEmpty()) {
            throw new McpFailure(McpFailureKind.UNAUTHORIZED, "The server names no authorization server.");
        }
        Set<String> scopes = new LinkedHashSet<>();
        for (JsonNode scope : json.path("scopes_supported")) {
            scopes.addAll(BearerChallenge.scopes(scope.asString("")));
        }
        return new ProtectedResource(resource, issuers, scopes);
    }

    /** Whether a resource identifier is the server's URL or a parent path of it. */
    static boolean covers(String resource, URI server) {
        URI named;
        try {
            named = URI.create(resource);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
        if (named.getHost() == null
                || named.getFragment() != null
                || (named.getQuery() != null && !named.equals(server))) {
            return false;
        }
        String outer = path(named);
        String inner = path(server);
        return String.valueOf(named.getScheme()).equalsIgnoreCase(server.getScheme())
                && named.getHost().equalsIgnoreCase(server.getHost())
                && port(named) == port(server)
                && (inner.equals(outer) || inner.startsWith(outer + "/"));
    }

    private static String path(URI uri) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static int port(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT).equals("https") ? 443 : 80;
    }
}
