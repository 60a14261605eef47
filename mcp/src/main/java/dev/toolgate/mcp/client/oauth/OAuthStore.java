package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import org.jspecify.annotations.Nullable;

/** Stores the tokens and registrations of one user or client; its contents are secret. */
public interface OAuthStore {
    /** The token for the server with this URL; null if there is none. */
    @Nullable
    StoredToken token(String server);

    void save(StoredToken token);

    void removeToken(String server);

    /** Replaces a token. */
    @FunctionalInterface
    interface Renewal {
        /** The new token, already saved; null if none can be obtained. */
        @Nullable
        StoredToken get() throws McpFailure;
    }

    /**
     * Renews a token. A store shared by several processes lets one of them do it, since a refresh token may be valid
     * only once, and returns its result to the others.
     *
     * @return the current token; null if there is none
     */
    default @Nullable StoredToken renew(StoredToken old, Renewal renewal) throws McpFailure {
        return renewal.get();
    }

    /** The registration with an authorization server; null if there is none. */
    @Nullable
    RegisteredClient client(String issuer);

    void save(RegisteredClient client);
}
