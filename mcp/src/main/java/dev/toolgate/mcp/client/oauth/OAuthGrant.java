package dev.toolgate.mcp.client.oauth;

import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The OAuth grant with which a client obtains a token. */
public sealed interface OAuthGrant {
    /**
     * A person authorizes the client in a browser.
     *
     * @param prompt opens the browser; null if that is done elsewhere, with
     *     {@link OAuthAuthorization#begin} and {@link OAuthAuthorization#finish}
     */
    record AuthorizationCode(
            ClientIdentity identity,
            URI redirectUri,
            @Nullable AuthorizationPrompt prompt) implements OAuthGrant {}

    /** The client acts for itself. */
    record ClientCredentials(ClientAuthentication client) implements OAuthGrant {}

    /**
     * The client presents a signed assertion about itself or a user (RFC 7523).
     *
     * @param assertion supplies a fresh assertion
     */
    record JwtBearer(ClientAuthentication client, Supplier<String> assertion) implements OAuthGrant {}

    /** The client exchanges a user's token for one of the server's (RFC 8693). */
    record TokenExchange(ClientAuthentication client, SubjectToken subject) implements OAuthGrant {}

    /**
     * The identity provider of an organisation exchanges a user's token for an assertion that the server's
     * authorization server accepts.
     *
     * @param provider the identity provider's token endpoint
     * @param atProvider how the client authenticates there
     */
    record IdentityAssertion(
            ClientAuthentication client, URI provider, ClientAuthentication atProvider, SubjectToken subject)
            implements OAuthGrant {}

    /**
     * A token to exchange.
     *
     * @param type its type as RFC 8693 names it
     * @param value supplies a currently valid token
     */
    record SubjectToken(String type, Supplier<String> value) {}
}
