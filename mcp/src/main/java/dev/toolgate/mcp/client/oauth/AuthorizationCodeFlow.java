package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Builds the authorization request for the browser and checks the redirect that comes back (PKCE, RFC 9207). */
final class AuthorizationCodeFlow {
    private AuthorizationCodeFlow() {}

    /** Without PKCE a code could be intercepted, so an authorization server that does not announce it is not used. */
    static void requireChallenge(IssuerMetadata issuer) throws McpFailure {
        Set<String> challenges = issuer.list("code_challenge_methods_supported");
        if (challenges == null || !challenges.contains("S256")) {
            throw new McpFailure(
                    McpFailureKind.UNAUTHORIZED,
                    "The authorization server does not support PKCE with S256, without which a code could be stolen.");
        }
    }

    /**
     * The authorization request to send the browser to.
     *
     * @param resource the resource that the token is for; empty for a log-in at the issuer itself
     * @param more additional query parameters
     */
    static PendingAuthorization begin(
            OAuthHttp http,
            IssuerMetadata issuer,
            ClientAuthentication client,
            String resource,
            URI redirectUri,
            Set<String> scopes,
            String verifier,
            Map<String, String> more)
            throws McpFailure {
        String state = SignedAssertion.random();
        Map<String, String> query = new LinkedHashMap<>();
        query.put("response_type", "code");
        query.put("client_id", client.clientId());
        query.put("redirect_uri", redirectUri.toString());
        query.put("state", state);
        query.put("code_challenge", challenge(verifier));
        query.put("code_challenge_method", "S256");
        putResource(query, resource);
        if (!scopes.isEmpty()) {
            query.put("scope", String.join(" ", scopes));
        }
        query.putAll(more);
        URI endpoint = issuer.endpoint(http, "authorization_endpoint");
        String separator = endpoint.getRawQuery() == null ? "?" : "&";
        return new PendingAuthorization(
                URI.create(endpoint + separator + OAuthHttp.query(query)),
                state,
                verifier,
                issuer.issuer(),
                client.clientId(),
                resource,
                redirectUri,
                scopes);
    }

    private static void putResource(Map<String, String> parameters, String resource) {
        if (!resource.isEmpty()) {
            parameters.put("resource", resource);
        }
    }

    /** The form that exchanges the code for a token, after the redirect has been checked. */
    static Map<String, String> codeGrant(PendingAuthorization pending, IssuerMetadata issuer, URI redirect)
            throws McpFailure {
        // A client may have a redirect URI for each issuer, so that a code of another one is not redeemed at this one.
        if (!path(redirect).equals(path(pending.redirectUri()))) {
            throw refused("The redirect came to the address of another issuer, so it is not used.");
        }
        Map<String, String> query = query(redirect);
        // Checked first: nothing in a redirect from another issuer is trusted, not even an error.
        String iss = query.get("iss");
        if (iss == null
                ? issuer.says("authorization_response_iss_parameter_supported")
                : !iss.equals(pending.issuer())) {
            throw refused("The redirect came without the right issuer, so it is not used.");
        }
        String state = query.getOrDefault("state", "");
        if (!MessageDigest.isEqual(
                state.getBytes(StandardCharsets.UTF_8), pending.state().getBytes(StandardCharsets.UTF_8))) {
            throw refused("The redirect does not have the expected state, so it is not used.");
        }
        String code = query.get("code");
        if (code == null) {
            String error = query.getOrDefault("error", "");
            throw refused("The authorization was not given" + (error.matches("[a-z_]{1,60}") ? " (" + error + ")" : "")
                    + ".");
        }
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", pending.redirectUri().toString());
        form.put("code_verifier", pending.verifier());
        putResource(form, pending.resource());
        return form;
    }

    private static String path(URI uri) {
        String path = uri.getRawPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    private static Map<String, String> query(URI uri) throws McpFailure {
        Map<String, String> found = new LinkedHashMap<>();
        String raw = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0
                    && found.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1))) != null) {
                throw refused("The redirect has a duplicate parameter, so it is not used.");
            }
        }
        return found;
    }

    private static String decode(String text) throws McpFailure {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw refused("The redirect has a malformed URL.");
        }
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static McpFailure refused(String message) {
        return new McpFailure(McpFailureKind.UNAUTHORIZED, message);
    }
}
