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
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests tokens from a token endpoint. */
final class TokenEndpoint {
    /** The answer to a token request. */
    sealed interface Answer {
        /** The tokens; a failure if there are none. */
        Granted orFail() throws McpFailure;
    }

    /**
     * The refusal of a token request.
     *
     * @param error the error code of RFC 6749; empty if it has none
     */
    record Refused(int status, String error) implements Answer {
        private static final Pattern CODE = Pattern.compile("[a-z_]{1,60}");

        /** The code of RFC 6749, and what GitHub says instead. */
        private static final Set<String> INVALID_GRANT = Set.of("invalid_grant", "bad_refresh_token");

        /** Whether the code or the refresh token is no longer valid. */
        boolean isInvalidGrant() {
            return INVALID_GRANT.contains(error);
        }

        /** Whether the client is not known, or its credentials are no longer valid. */
        boolean isInvalidClient() {
            return error.equals("invalid_client");
        }

        @Override
        public Granted orFail() throws McpFailure {
            throw new McpFailure(
                    McpFailureKind.UNAUTHORIZED,
                    "The authorization server gave no token: HTTP status " + status
                            + (CODE.matcher(error).matches() ? " (" + error + ")" : "") + ".");
        }
    }

    /**
     * The tokens in a response.
     *
     * @param idToken identifies the user, where requested; not validated
     * @param lifetime null if not given
     */
    record Granted(
            String accessToken,
            @Nullable String refreshToken,
            @Nullable String idToken,
            @Nullable Duration lifetime) implements Answer {
        @Override
        public Granted orFail() {
            return this;
        }

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
     * @param audience of signed assertions; null for the URL of the endpoint
     * @param methods the supported client authentication methods; null if unknown
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

    /** The revocation endpoint, which takes the same client authentication. */
    static TokenEndpoint ofRevocation(OAuthHttp http, Clock clock, IssuerMetadata issuer) throws McpFailure {
        Set<String> methods = issuer.list("revocation_endpoint_auth_methods_supported");
        return new TokenEndpoint(
                http,
                clock,
                issuer.endpoint(http, "revocation_endpoint"),
                issuer.issuer(),
                methods == null ? issuer.list("token_endpoint_auth_methods_supported") : methods);
    }

    /** Revokes a token. */
    void revoke(String token, String hint, ClientAuthentication client, @Nullable String wanted) throws McpFailure {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("token", token);
        form.put("token_type_hint", hint);
        String authorization = authenticate(form, client, wanted);
        OAuthHttp.Reply reply = http.postForm("revocation endpoint", url, form, authorization);
        if (reply.status() != 200) {
            throw new McpFailure(
                    reply.failureKind(),
                    "The authorization server did not revoke the token: HTTP status " + reply.status() + ".");
        }
    }

    /**
     * Requests a token.
     *
     * @param wanted the authentication method that the client was registered with; null if none was fixed
     * @throws McpFailure if the authorization server is unavailable or gives no valid answer
     */
    Answer ask(Map<String, String> grant, ClientAuthentication client, @Nullable String wanted) throws McpFailure {
        Map<String, String> form = new LinkedHashMap<>(grant);
        String authorization = authenticate(form, client, wanted);
        OAuthHttp.Reply reply = http.postForm("token endpoint", url, form, authorization);
        ObjectNode json = reply.json();
        if (json == null || reply.isTemporaryFailure()) {
            throw new McpFailure(
                    McpFailureKind.UNREACHABLE,
                    "The token endpoint does not work at present: HTTP status " + reply.status()
                            + "; try again later.");
        }
        // Some servers, GitHub for one, refuse with status 200.
        if (reply.status() != 200 || (json.has("error") && !json.has("access_token"))) {
            return new Refused(reply.status(), json.path("error").asString(""));
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
}
