package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Chooses the client id for an authorization server, and registers the client dynamically as the last resort. */
final class ClientRegistration {
    /**
     * The client as the authorization server knows it.
     *
     * @param method the authentication method; null for any that the server supports
     */
    record Known(ClientAuthentication client, @Nullable String method) {}

    /** A registration must outlast the authorization that is begun with it. */
    private static final Duration EARLY = Duration.ofMinutes(10);

    private final OAuthHttp http;
    private final OAuthStore store;
    private final Clock clock;

    ClientRegistration(OAuthHttp http, OAuthStore store, Clock clock) {
        this.http = http;
        this.store = store;
        this.clock = clock;
    }

    /**
     * @param lastIssuer the issuer of the previous token; null if there was none
     */
    Known known(IssuerMetadata issuer, ClientIdentity identity, URI redirectUri, @Nullable String lastIssuer)
            throws McpFailure {
        ClientAuthentication registered = identity.registered();
        if (registered != null) {
            String bound = identity.issuer() == null ? lastIssuer : identity.issuer();
            if (bound != null && !bound.equals(issuer.issuer())) {
                throw new McpFailure(
                        McpFailureKind.UNAUTHORIZED,
                        "The server now names another authorization server than the one the client is registered with;"
                                + " register it there and configure the new credentials.");
            }
            return new Known(registered, null);
        }
        URI document = identity.metadataDocument();
        if (document != null && issuer.says("client_id_metadata_document_supported")) {
            return new Known(new ClientAuthentication.Public(document.toString()), "none");
        }
        RegisteredClient earlier = store.client(issuer.issuer());
        if (earlier != null && hasExpired(earlier)) {
            store.forget(earlier);
            earlier = null;
        }
        return known(earlier == null ? register(issuer, identity, redirectUri) : earlier);
    }

    private boolean hasExpired(RegisteredClient client) {
        Instant end = client.expiresAt();
        return end != null && clock.instant().plus(EARLY).isAfter(end);
    }

    /** Removes the registration of a client that the issuer does not know, so that the next use registers again. */
    void forget(String issuer, String clientId) {
        RegisteredClient registered = store.client(issuer);
        if (registered != null && registered.clientId().equals(clientId)) {
            store.forget(registered);
        }
    }

    /** The client that a token was issued to; null if it no longer exists. */
    @Nullable
    Known knownAs(String issuer, String clientId, ClientIdentity identity) {
        ClientAuthentication registered = identity.registered();
        // A client of another issuer may have the same id; its secret must not be sent to this one.
        if (registered != null
                && registered.clientId().equals(clientId)
                && (identity.issuer() == null || identity.issuer().equals(issuer))) {
            return new Known(registered, null);
        }
        RegisteredClient earlier = store.client(issuer);
        if (earlier != null && earlier.clientId().equals(clientId)) {
            return known(earlier);
        }
        URI document = identity.metadataDocument();
        return document != null && document.toString().equals(clientId)
                ? new Known(new ClientAuthentication.Public(clientId), "none")
                : null;
    }

    /**
     * Whether a client that does not exist now may do so after a change of settings: one with another configured id or
     * another metadata document. A dynamic registration never comes back, since the next one has another id.
     */
    static boolean mayBeConfiguredAgain(String clientId, ClientIdentity identity) {
        boolean isDocument = clientId.startsWith("https://");
        return identity.registered() != null || isDocument;
    }

    private static Known known(RegisteredClient client) {
        String secret = client.secret();
        return new Known(
                secret == null
                        ? new ClientAuthentication.Public(client.clientId())
                        : new ClientAuthentication.Secret(client.clientId(), secret),
                client.method());
    }

    private RegisteredClient register(IssuerMetadata issuer, ClientIdentity identity, URI redirectUri)
            throws McpFailure {
        if (issuer.text("registration_endpoint") == null) {
            throw new McpFailure(
                    McpFailureKind.UNAUTHORIZED,
                    "The authorization server has no dynamic client registration; register one there and configure"
                            + " its id and secret.");
        }
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("client_name", identity.name());
        request.putArray("redirect_uris").add(redirectUri.toString());
        request.putArray("grant_types").add("authorization_code").add("refresh_token");
        request.putArray("response_types").add("code");
        request.put("token_endpoint_auth_method", method(issuer.list("token_endpoint_auth_methods_supported")));
        request.put("application_type", "https".equals(redirectUri.getScheme()) ? "web" : "native");
        OAuthHttp.Reply reply =
                http.postJson("registration endpoint", issuer.endpoint(http, "registration_endpoint"), request);
        ObjectNode json = reply.json();
        String id = json == null ? "" : json.path("client_id").asString("");
        if (reply.status() / 100 != 2 || json == null || id.isEmpty()) {
            throw new McpFailure(
                    reply.failureKind(),
                    "The authorization server did not register the client: HTTP status " + reply.status() + ".");
        }
        return store.save(new RegisteredClient(
                issuer.issuer(),
                id,
                text(json, "client_secret"),
                text(json, "token_endpoint_auth_method"),
                end(json.path("client_secret_expires_at"))));
    }

    // 0 means never, and so does a time beyond all calendars.
    private static @Nullable Instant end(JsonNode expiresAt) {
        long seconds = expiresAt.isIntegralNumber() && expiresAt.canConvertToLong() ? expiresAt.asLong() : 0;
        return seconds > 0 && seconds < Instant.MAX.getEpochSecond() ? Instant.ofEpochSecond(seconds) : null;
    }

    // Preferably a public client: then there is no secret to keep.
    private static String method(@Nullable Set<String> supported) {
        for (String method : new String[] {"none", "client_secret_basic", "client_secret_post"}) {
            if (supported != null && supported.contains(method)) {
                return method;
            }
        }
        return "client_secret_basic";
    }

    private static @Nullable String text(ObjectNode json, String field) {
        return json.path(field).isString() ? json.path(field).stringValue() : null;
    }
}
