package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The metadata of an authorization server (RFC 8414, OpenID Connect Discovery). */
record IssuerMetadata(String issuer, ObjectNode json) {
    private static final String OAUTH = "/.well-known/oauth-authorization-server";
    private static final String OPEN_ID = "/.well-known/openid-configuration";

    /** Fetches the metadata; the document must name the issuer it was requested for. */
    static IssuerMetadata discover(OAuthHttp http, String issuer) throws McpFailure {
        return discover(http, issuer, places(http.check().require("authorization server", issuer)));
    }

    /** Fetches the metadata of an OpenID Connect provider, which has a single well-known URL. */
    static IssuerMetadata discoverOpenId(OAuthHttp http, String issuer) throws McpFailure {
        URI url = http.check().require("identity provider", issuer);
        return discover(http, issuer, List.of(url.resolve(path(url) + OPEN_ID)));
    }

    private static IssuerMetadata discover(OAuthHttp http, String issuer, List<URI> places) throws McpFailure {
        boolean unavailable = false;
        for (URI place : places) {
            OAuthHttp.Reply reply = http.get("authorization server", place);
            ObjectNode json = reply.json();
            if (reply.status() == 200 && json != null) {
                if (!json.path("issuer").asString("").equals(issuer)) {
                    throw new McpFailure(
                            McpFailureKind.UNAUTHORIZED,
                            "The metadata of the authorization server names another issuer, so it is not used.");
                }
                return new IssuerMetadata(issuer, json);
            }
            unavailable |= reply.isTemporaryFailure();
        }
        if (unavailable) {
            throw new McpFailure(
                    McpFailureKind.UNREACHABLE,
                    "The metadata of the authorization server "
                            + places.getFirst().getHost() + " is unavailable; try again later.");
        }
        throw new McpFailure(
                McpFailureKind.UNAUTHORIZED,
                "The authorization server " + places.getFirst().getHost() + " publishes no metadata.");
    }

    private static List<URI> places(URI issuer) {
        String path = path(issuer);
        return path.isEmpty()
                ? List.of(issuer.resolve(OAUTH), issuer.resolve(OPEN_ID))
                : List.of(issuer.resolve(OAUTH + path), issuer.resolve(OPEN_ID + path), issuer.resolve(path + OPEN_ID));
    }

    private static String path(URI issuer) {
        String raw = issuer.getRawPath() == null ? "" : issuer.getRawPath();
        return raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw;
    }

    URI endpoint(OAuthHttp http, String name) throws McpFailure {
        return http.check().require(name.replace('_', ' '), text(name));
    }

    @Nullable
    String text(String name) {
        JsonNode value = json.get(name);
        return value != null && value.isString() ? value.stringValue() : null;
    }

    boolean says(String name) {
        return json.path(name).asBoolean(false);
    }

    /** The strings of a list; null if it is absent. */
    @Nullable
    Set<String> list(String name) {
        JsonNode values = json.get(name);
        if (values == null || !values.isArray()) {
            return null;
        }
        Set<String> texts = new HashSet<>();
        for (JsonNode value : values) {
            if (value.isString()) {
                texts.add(value.stringValue());
            }
        }
        return texts;
    }
}
