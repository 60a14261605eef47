package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Authenticator;
import dev.toolgate.core.identity.Identity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Combines the authentication methods. */
public final class Authenticators {
    private static final Identity NOTHING_SENT =
            new Identity.Unknown("Send a key or token in the Authorization header as 'Bearer …'.");
    private static final Identity NO_TOKENS =
            new Identity.Unknown("Tokens are not accepted because no issuer or secret is configured; send a key.");

    private Authenticators() {}

    /**
     * The authenticator that selects a method by the form of the credentials. The Authorization header takes precedence
     * over the cookie.
     *
     * @param tokens {@code null} if none are configured
     */
    public static Authenticator chain(
            KeyAuthenticator keys, @Nullable TokenAuthenticator tokens, ConsoleLogins logins) {
        return credentials -> {
            if (credentials.authorization() != null) {
                return bearer(keys, tokens, credentials.authorization(), credentials.remoteAddress());
            }
            return credentials.cookie() != null ? logins.identify(credentials) : NOTHING_SENT;
        };
    }

    private static Identity bearer(
            KeyAuthenticator keys, @Nullable TokenAuthenticator tokens, String authorization, String remoteAddress) {
        Optional<Bearer> bearer = Bearer.in(authorization);
        if (bearer.isEmpty()) {
            return NOTHING_SENT;
        }
        return switch (bearer.get()) {
            case Bearer.Key key -> keys.identify(key, remoteAddress);
            case Bearer.MistypedKey mistyped -> keys.refuseMistyped(remoteAddress);
            case Bearer.Token token -> tokens == null ? NO_TOKENS : tokens.identify(token, remoteAddress);
        };
    }
}
