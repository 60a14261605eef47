package dev.toolgate.server.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.mcp.client.oauth.OAuthStore;
import dev.toolgate.mcp.client.oauth.RegisteredClient;
import dev.toolgate.mcp.client.oauth.StoredToken;
import dev.toolgate.store.upstream.ServerName;
import java.net.URI;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store of an account that is being connected: there is no token yet.
 *
 * @param connected receives the token
 */
record ConnectingStore(
        AccountVault vault, TenantId tenant, ServerName server, URI redirectUri, Consumer<StoredToken> connected)
        implements OAuthStore {
    @Override
    public @Nullable StoredToken token(String server) {
        return null;
    }

    @Override
    public void save(StoredToken token) {
        connected.accept(token);
    }

    @Override
    public @Nullable StoredToken replace(StoredToken old, StoredToken renewed) {
        return null;
    }

    @Override
    public @Nullable StoredToken remove(StoredToken unusable) {
        return null;
    }

    @Override
    public @Nullable RegisteredClient client(String issuer) {
        return vault.client(tenant, server, issuer, redirectUri);
    }

    @Override
    public RegisteredClient save(RegisteredClient client) {
        return vault.keep(tenant, server, redirectUri, client);
    }

    @Override
    public void forget(RegisteredClient client) {
        vault.forget(tenant, redirectUri, client);
    }
}
