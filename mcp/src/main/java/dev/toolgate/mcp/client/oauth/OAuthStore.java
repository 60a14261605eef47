package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import org.jspecify.annotations.Nullable;

/** Keeps tokens and registrations of one party; what it keeps is secret. */
public interface OAuthStore {
    /** The token for the server with this URL; null if there is none. */
    @Nullable
    StoredToken token(String server);

    void save(StoredToken token);

    void removeToken(String server);

    /** Gets a token in place of another. */
    @FunctionalInterface
    interface Renewal {
        /** The new token, which has been saved; null if there is none to be had. */
        @Nullable
        StoredToken get() throws McpFailure;
    }

    /**
     * Has a token renewed. A store that several processes share lets one of them do it, since the right to renew a token may
     * count once, and gives the others its result.
     *
     * @return the token that is in force now; null if there is none
     */
    default @Nullable StoredToken renew(StoredToken old, Renewal renewal) throws McpFailure {
        return renewal.get();
    }

    /** The registration with an authorization server; null if there is none. */
    @Nullable
    RegisteredClient client(String issuer);

    void save(RegisteredClient client);
}
