package dev.toolgate.mcp.client.oauth;

import java.net.URI;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** By which right a client gets a token. */
public sealed interface OAuthGrant {
    /**
     * A person authorizes the client in a browser.
     *
     * @param prompt takes the person there; null if that is done elsewhere, with
     *     {@link OAuthAuthorization#begin} and {@link OAuthAuthorization#finish}
     */
    record AuthorizationCode(
            ClientIdentity identity,
            URI redirectUri,
            @Nullable AuthorizationPrompt prompt) implements OAuthGrant {}

    /** The client acts for itself. */
    record ClientCredentials(ClientAuthentication client) implements OAuthGrant {}

    /**
     * The client presents a signed statement about itself or somebody else (RFC 7523).
     *
     * @param assertion gives a fresh statement
     */
    record JwtBearer(ClientAuthentication client, Supplier<String> assertion) implements OAuthGrant {}

    /** The client exchanges a token of somebody for one of the server's (RFC 8693). */
    record TokenExchange(ClientAuthentication client, SubjectToken subject) implements OAuthGrant {}

    /**
     * The identity provider of an organisation exchanges a person's token for a statement that the server's
     * authorization server takes.
     *
     * @param provider the identity provider's token endpoint
     * @param atProvider how the client proves itself there
     */
    record IdentityAssertion(
            ClientAuthentication client, URI provider, ClientAuthentication atProvider, SubjectToken subject)
            implements OAuthGrant {}

    /**
     * A token that is exchanged.
     *
     * @param type its type as RFC 8693 names it
     * @param value gives a token that is valid now
     */
    record SubjectToken(String type, Supplier<String> value) {}
}
