package dev.toolgate.server.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.oauth.InMemoryOAuthStore;
import dev.toolgate.mcp.client.oauth.OAuthAuthorization;
import dev.toolgate.mcp.client.oauth.OAuthSettings;
import dev.toolgate.mcp.client.oauth.OAuthStore;
import dev.toolgate.mcp.client.oauth.RegisteredClient;
import dev.toolgate.mcp.client.oauth.StoredToken;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.store.upstream.ServerName;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** OAuth tokens for one server, in memory; the client's secret is looked up whenever a new token is needed. */
final class RotatingOAuth implements ServerAuthorization {
    /** Looks up the client's secret. */
    interface SecretLookup {
        String now() throws McpFailure;
    }

    private record Current(String secret, OAuthAuthorization authorization) {}

    private final SecretLookup secret;
    private final Function<String, OAuthSettings> settings;
    private final HttpExchanger exchanger;
    private final TenantId tenant;
    private final ServerName server;
    private final KnownSecrets known;
    private final Clock clock;
    private volatile @Nullable Current current;

    RotatingOAuth(
            SecretLookup secret,
            Function<String, OAuthSettings> settings,
            HttpExchanger exchanger,
            TenantId tenant,
            ServerName server,
            KnownSecrets known,
            Clock clock) {
        this.secret = secret;
        this.settings = settings;
        this.exchanger = exchanger;
        this.tenant = tenant;
        this.server = server;
        this.known = known;
        this.clock = clock;
    }

    @Override
    public Map<String, String> headers() throws McpFailure {
        Current last = current;
        return last == null ? Map.of() : last.authorization().headers();
    }

    @Override
    public @Nullable String renew(Refusal refusal) throws McpFailure {
        return with(secret.now()).renew(refusal);
    }

    private synchronized OAuthAuthorization with(String found) {
        Current last = current;
        if (last == null || !last.secret().equals(found)) {
            last = new Current(
                    found, new OAuthAuthorization(settings.apply(found), exchanger, new LearningStore(), clock));
            current = last;
        }
        return last.authorization();
    }

    /** Keeps tokens in memory and registers them to be masked. */
    private final class LearningStore implements OAuthStore {
        private final OAuthStore kept = new InMemoryOAuthStore();

        @Override
        public @Nullable StoredToken token(String server) {
            return kept.token(server);
        }

        @Override
        public void save(StoredToken token) {
            known.learn(tenant, server.value(), "server", List.of(token.accessToken()));
            kept.save(token);
        }

        @Override
        public @Nullable StoredToken replace(StoredToken old, StoredToken renewed) {
            known.learn(tenant, server.value(), "server", List.of(renewed.accessToken()));
            return kept.replace(old, renewed);
        }

        @Override
        public @Nullable StoredToken remove(StoredToken unusable) {
            return kept.remove(unusable);
        }

        @Override
        public @Nullable RegisteredClient client(String issuer) {
            return kept.client(issuer);
        }

        @Override
        public RegisteredClient save(RegisteredClient client) {
            return kept.save(client);
        }

        @Override
        public void forget(RegisteredClient client) {
            kept.forget(client);
        }
    }
}
