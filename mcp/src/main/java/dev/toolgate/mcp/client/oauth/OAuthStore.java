package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import org.jspecify.annotations.Nullable;

/** Stores the tokens and registrations of one user or client; its contents are secret. */
public interface OAuthStore {
    /** The token for the server with this URL; null if there is none. */
    @Nullable
    StoredToken token(String server);

    void save(StoredToken token);

    /**
     * Stores a renewed token in place of the old one, unless that has been replaced or removed in the meantime.
     *
     * @return the current token; null if there is none
     */
    @Nullable
    StoredToken replace(StoredToken old, StoredToken renewed);

    /**
     * Removes a token that can never be renewed, unless it has been replaced in the meantime.
     *
     * @return the current token; null if there is none
     */
    @Nullable
    StoredToken remove(StoredToken unusable);

    /** Replaces a token. */
    @FunctionalInterface
    interface Renewal {
        /** The current token, which is stored; null if none can be obtained. */
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

    /**
     * Stores a registration, unless there is one already: tokens are bound to the client that they were issued to, so
     * all instances must use the same.
     *
     * @return the registration in force
     */
    RegisteredClient save(RegisteredClient client);

    /** Removes a registration that the authorization server no longer knows, unless it has been replaced. */
    void forget(RegisteredClient client);
}
