package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Asks a token endpoint for tokens. */
final class TokenEndpoint {
    /**
     * What it gave.
     *
     * @param idToken who logged in, where that was asked; not checked
     * @param lifetime null if it did not say
     */
    record Granted(
            String accessToken,
            @Nullable String refreshToken,
            @Nullable String idToken,
            @Nullable Duration lifetime) {
        @Override
        public String toString() {
            return "Granted[lifetime=" + lifetime + "]";
        }
    }

    private static final int MAX_TOKEN = 16 << 10;

    private final OAuthHttp http;
    private final Clock clock;
    private final URI url;
    private final @Nullable String audience;
    private final @Nullable Set<String> methods;

    /**
     * @param audience whom signed statements are for; null if there is none to be had
     * @param methods in which clients may prove themselves; null if that is not known
     */
    TokenEndpoint(OAuthHttp http, Clock clock, URI url, @Nullable String audience, @Nullable Set<String> methods) {
        this.http = http;
        this.clock = clock;
        this.url = url;
        this.audience = audience;
        this.methods = methods;
    }

    static TokenEndpoint of(OAuthHttp http, Clock clock, IssuerMetadata issuer) throws McpFailure {
        return new TokenEndpoint(
                http,
                clock,
                issuer.endpoint(http, "token_endpoint"),
                issuer.issuer(),
                issuer.list("token_endpoint_auth_methods_supported"));
    }

    /** Where tokens are given back; takes the same proofs of a client. */
    static TokenEndpoint ofRevocation(OAuthHttp http, Clock clock, IssuerMetadata issuer) throws McpFailure {
        Set<String> methods = issuer.list("revocation_endpoint_auth_methods_supported");
        return new TokenEndpoint(
                http,
                clock,
                issuer.endpoint(http, "revocation_endpoint"),
                issuer.issuer(),
                methods == null ? issuer.list("token_endpoint_auth_methods_supported") : methods);
    }

    /** Gives a token back. */
    void revoke(String token, String hint, ClientAuthentication client, @Nullable String wanted) throws McpFailure {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("token", token);
        form.put("token_type_hint", hint);
        String authorization = authenticate(form, client, wanted);
        OAuthHttp.Reply reply = http.postForm("revocation endpoint", url, form, authorization);
        if (reply.status() != 200) {
            throw new McpFailure(
                    McpFailureKind.UNAUTHORIZED,
                    "The authorization server did not take the token back: HTTP status " + reply.status() + ".");
        }
    }

    /**
     * Asks for a token.
     *
     * @param wanted the method that the client was registered with; null if none was agreed
     */
    Granted ask(Map<String, String> grant, ClientAuthentication client, @Nullable String wanted) throws McpFailure {
        Map<String, String> form = new LinkedHashMap<>(grant);
        String authorization = authenticate(form, client, wanted);
        OAuthHttp.Reply reply = http.postForm("token endpoint", url, form, authorization);
        ObjectNode json = reply.json();
        if (reply.status() != 200 || json == null) {
            throw refused(reply);
        }
        String token = json.path("access_token").asString("");
        if (token.isEmpty() || token.length() > MAX_TOKEN || !token.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw new McpFailure(McpFailureKind.UNAUTHORIZED, "The token endpoint gave no usable token.");
        }
        JsonNode lifetime = json.path("expires_in");
        return new Granted(
                token,
                bounded(json.path("refresh_token")),
                bounded(json.path("id_token")),
                lifetime.canConvertToInt() ? Duration.ofSeconds(lifetime.asInt()) : null);
    }

    private static @Nullable String bounded(JsonNode token) {
        return token.isString() && token.stringValue().length() <= MAX_TOKEN ? token.stringValue() : null;
    }

    private @Nullable String authenticate(
            Map<String, String> form, ClientAuthentication client, @Nullable String wanted) throws McpFailure {
        switch (client) {
            case ClientAuthentication.Public named -> form.put("client_id", named.clientId());
            case ClientAuthentication.SigningKey signing -> {
                form.put("client_id", signing.clientId());
                form.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
                form.put("client_assertion", assertion(signing));
            }
            case ClientAuthentication.Secret secret -> {
                switch (method(wanted)) {
                    case "client_secret_post" -> {
                        form.put("client_id", secret.clientId());
                        form.put("client_secret", secret.secret());
                    }
                    case "none" -> form.put("client_id", secret.clientId());
                    default -> {
                        String pair = OAuthHttp.encode(secret.clientId()) + ":" + OAuthHttp.encode(secret.secret());
                        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
                    }
                }
            }
        }
        return null;
    }

    private String method(@Nullable String wanted) {
        if (wanted != null) {
            return wanted;
        }
        for (String method : new String[] {"client_secret_basic", "client_secret_post", "none"}) {
            if (methods == null || methods.contains(method)) {
                return method;
            }
        }
        return "client_secret_basic";
    }

    private String assertion(ClientAuthentication.SigningKey client) throws McpFailure {
        try {
            return SignedAssertion.of(client, audience == null ? url.toString() : audience, clock);
        } catch (GeneralSecurityException unusable) {
            throw new McpFailure(
                    McpFailureKind.UNAUTHORIZED,
                    "The client's key cannot sign for the authorization server: " + unusable.getMessage(),
                    unusable);
        }
    }

    private static McpFailure refused(OAuthHttp.Reply reply) {
        ObjectNode json = reply.json();
        String error = json == null ? "" : json.path("error").asString("");
        String shown = error.toLowerCase(Locale.ROOT).matches("[a-z_]{1,60}") ? " (" + error + ")" : "";
        return new McpFailure(
                reply.status() >= 500 ? McpFailureKind.UNREACHABLE : McpFailureKind.UNAUTHORIZED,
                "The authorization server gave no token: HTTP status " + reply.status() + shown + ".");
    }
}
