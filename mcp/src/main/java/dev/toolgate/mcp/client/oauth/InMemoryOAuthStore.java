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
    public void removeToken(String server) {
        tokens.remove(server);
    }

    @Override
    public @Nullable RegisteredClient client(String issuer) {
        return clients.get(issuer);
    }

    @Override
    public void save(RegisteredClient client) {
        clients.put(client.issuer(), client);
    }
}
