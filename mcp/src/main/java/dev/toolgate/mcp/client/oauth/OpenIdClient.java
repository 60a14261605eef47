package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Logs people in at an OpenID Connect provider: redirects the browser there, and exchanges the returned code. The
 * tokens are not validated here.
 */
public final class OpenIdClient {
    private final String issuer;
    private final ClientAuthentication client;
    private final OAuthHttp http;
    private final Clock clock;

    public OpenIdClient(
            String issuer, ClientAuthentication client, EndpointCheck check, HttpExchanger exchanger, Clock clock) {
        this.issuer = issuer;
        this.client = client;
        this.http = new OAuthHttp(exchanger, check);
        this.clock = clock;
    }

    /**
     * The tokens of a user who has logged in.
     *
     * @param idToken not validated yet
     */
    public record Tokens(String idToken, String accessToken) {
        @Override
        public String toString() {
            return "Tokens";
        }
    }

    public String clientId() {
        return client.clientId();
    }

    /** Reads the provider's metadata. */
    public OpenIdProvider discover() throws McpFailure {
        IssuerMetadata found = IssuerMetadata.discoverOpenId(http, issuer);
        return new OpenIdProvider(
                found,
                found.endpoint(http, "jwks_uri"),
                found.text("end_session_endpoint") == null ? null : found.endpoint(http, "end_session_endpoint"));
    }

    /**
     * Begins a log-in. Some providers support PKCE without announcing it; there the nonce protects against injected
     * codes, so only a provider that announces other methods without S256 is refused.
     *
     * @param verifier the secret PKCE verifier
     * @param nonce that the identity token must contain
     */
    public PendingAuthorization begin(
            OpenIdProvider provider, URI redirectUri, Set<String> scopes, String verifier, String nonce)
            throws McpFailure {
        if (provider.metadata().list("code_challenge_methods_supported") != null) {
            AuthorizationCodeFlow.requireChallenge(provider.metadata());
        }
        return AuthorizationCodeFlow.begin(
                http, provider.metadata(), client, "", redirectUri, scopes, verifier, Map.of("nonce", nonce));
    }

    /** Completes a log-in with the URL that the browser was redirected to. */
    public Tokens finish(OpenIdProvider provider, PendingAuthorization pending, URI redirect) throws McpFailure {
        Map<String, String> form = AuthorizationCodeFlow.codeGrant(pending, provider.metadata(), redirect);
        TokenEndpoint.Granted granted = TokenEndpoint.of(http, clock, provider.metadata())
                .ask(form, client, null)
                .orFail();
        String idToken = granted.idToken();
        if (idToken == null) {
            throw new McpFailure(McpFailureKind.UNAUTHORIZED, "The provider gave no identity token.");
        }
        return new Tokens(idToken, granted.accessToken());
    }

    /** Whether the provider has a userinfo endpoint. */
    public boolean hasUserInfo(OpenIdProvider provider) {
        return provider.metadata().text("userinfo_endpoint") != null;
    }

    /** The claims of the userinfo endpoint; the caller must still compare the subject. */
    public ObjectNode userInfo(OpenIdProvider provider, Tokens tokens) throws McpFailure {
        URI place = provider.metadata().endpoint(http, "userinfo_endpoint");
        OAuthHttp.Reply reply = http.get("userinfo endpoint", place, tokens.accessToken());
        ObjectNode json = reply.json();
        if (reply.status() != 200 || json == null) {
            throw new McpFailure(
                    reply.failureKind(), "The userinfo endpoint failed: HTTP status " + reply.status() + ".");
        }
        return json;
    }
}
