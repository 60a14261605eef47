package dev.toolgate.mcp.client.oauth;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keeps tokens and registrations until the process ends. */
public final class InMemoryOAuthStore implements OAuthStore {
    private final Map<String, StoredToken> tokens = new ConcurrentHashMap<>();
    private final Map<String, RegisteredClient> clients = new ConcurrentHashMap<>();

    @Override
    public @Nullable StoredToken token(String server) {
        return tokens.get(server);
    }

    @Override
    public void save(StoredToken token) {
        tokens.put(token.server(), token);
    }

    @Override
    public @Nullable StoredToken replace(StoredToken old, StoredToken renewed) {
        boolean _ = tokens.replace(old.server(), old, renewed);
        return tokens.get(old.server());
    }

    @Override
    public @Nullable StoredToken remove(StoredToken unusable) {
        boolean _ = tokens.remove(unusable.server(), unusable);
        return tokens.get(unusable.server());
    }

    @Override
    public @Nullable RegisteredClient client(String issuer) {
        return clients.get(issuer);
    }

    @Override
    public RegisteredClient save(RegisteredClient client) {
        RegisteredClient earlier = clients.putIfAbsent(client.issuer(), client);
        return earlier == null ? client : earlier;
    }

    @Override
    public void forget(RegisteredClient client) {
        boolean _ = clients.remove(client.issuer(), client);
    }
}
