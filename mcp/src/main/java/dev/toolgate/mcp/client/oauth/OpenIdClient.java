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
 * Logs people in at an OpenID Connect provider: sends a browser there, and exchanges the code that it brings back. What the
 * tokens say is not checked here.
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
     * The tokens of somebody who has logged in.
     *
     * @param idToken not checked yet
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
     * Begins a log-in. Some providers support PKCE without announcing it; the nonce protects from codes of others there, so
     * only one that announces other methods alone is refused.
     *
     * @param verifier of PKCE, which nobody else knows
     * @param nonce that the identity token must have
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

    /** Ends a log-in with the URL that the browser was sent back to. */
    public Tokens finish(OpenIdProvider provider, PendingAuthorization pending, URI cameBack) throws McpFailure {
        Map<String, String> form = AuthorizationCodeFlow.codeGrant(pending, provider.metadata(), cameBack);
        TokenEndpoint.Granted granted =
                TokenEndpoint.of(http, clock, provider.metadata()).ask(form, client, null);
        String idToken = granted.idToken();
        if (idToken == null) {
            throw new McpFailure(McpFailureKind.UNAUTHORIZED, "The provider gave no identity token.");
        }
        return new Tokens(idToken, granted.accessToken());
    }

    /** Whether the provider tells more about a person than an identity token. */
    public boolean hasUserInfo(OpenIdProvider provider) {
        return provider.metadata().text("userinfo_endpoint") != null;
    }

    /** What the provider tells about the person of a token, whose subject must still be compared. */
    public ObjectNode userInfo(OpenIdProvider provider, Tokens tokens) throws McpFailure {
        URI place = provider.metadata().endpoint(http, "userinfo_endpoint");
        OAuthHttp.Reply reply = http.get("userinfo endpoint", place, tokens.accessToken());
        ObjectNode json = reply.json();
        if (reply.status() != 200 || json == null) {
            throw new McpFailure(
                    reply.status() >= 500 ? McpFailureKind.UNREACHABLE : McpFailureKind.UNAUTHORIZED,
                    "The provider told nothing about the person: HTTP status " + reply.status() + ".");
        }
        return json;
    }
}
