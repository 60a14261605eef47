package dev.toolgate.server.upstream;

import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.oauth.OAuthAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The OAuth tokens of one account. The secret of the configured client is looked up for every request, since each may
 * have to renew the token first.
 */
final class AccountAuthorization implements ServerAuthorization {
    private record Current(String secret, OAuthAuthorization authorization) {}

    private final RotatingOAuth.SecretLookup secret;
    private final Function<String, OAuthAuthorization> withSecret;
    private Current current;

    /**
     * @param withSecret the tokens, to be renewed with this secret
     * @throws McpFailure if there is no secret
     */
    AccountAuthorization(RotatingOAuth.SecretLookup secret, Function<String, OAuthAuthorization> withSecret)
            throws McpFailure {
        this.secret = secret;
        this.withSecret = withSecret;
        String first = secret.now();
        this.current = new Current(first, withSecret.apply(first));
    }

    @Override
    public Map<String, String> headers() throws McpFailure {
        return with(secret.now()).headers();
    }

    @Override
    public @Nullable String renew(Refusal refusal) throws McpFailure {
        return with(secret.now()).renew(refusal);
    }

    private synchronized OAuthAuthorization with(String found) {
        if (!current.secret().equals(found)) {
            current = new Current(found, withSecret.apply(found));
        }
        return current.authorization();
    }
}
