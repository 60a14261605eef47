package dev.toolgate.server.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.oauth.ClientAuthentication;
import dev.toolgate.mcp.client.oauth.OAuthGrant;
import dev.toolgate.mcp.client.oauth.OAuthSettings;
import dev.toolgate.mcp.client.oauth.TrustedIssuer;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.store.upstream.McpCredentials;
import dev.toolgate.store.upstream.McpServerSettings;
import dev.toolgate.store.upstream.ServerName;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The credentials for MCP servers. They are always the gate's own: the key or token of a caller is never forwarded. */
final class ServerCredentials {
    private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

    private final Secrets secrets;
    private final KnownSecrets known;
    private final Clock clock;

    /**
     * @param known is given all tokens, so that they are masked if a server repeats them
     */
    ServerCredentials(Secrets secrets, KnownSecrets known, Clock clock) {
        this.secrets = secrets;
        this.known = known;
        this.clock = clock;
    }

    /**
     * The credentials for one server.
     *
     * @param exchanger sends requests to OAuth issuers
     */
    ServerAuthorization of(TenantId tenant, ServerName name, McpServerSettings settings, HttpExchanger exchanger) {
        McpCredentials shown = settings.credentials();
        URI url = settings.url();
        if (shown == null || url == null) {
            return ServerAuthorization.fixed(Map.of());
        }
        return switch (shown.kind()) {
            case HEADER -> new SecretHeader(tenant, shown);
            case CLIENT_CREDENTIALS, TOKEN_EXCHANGE ->
                new RotatingOAuth(
                        () -> secret(tenant, shown.requiredSecret()),
                        secret -> oauth(tenant, settings, url, shown, secret),
                        exchanger,
                        tenant,
                        name,
                        known,
                        clock);
            case USER -> ServerAuthorization.fixed(Map.of()); // each account has a connection of its own
        };
    }

    /** The environment variables of a program, including secrets. */
    Map<String, String> variables(TenantId tenant, McpServerSettings settings) {
        Map<String, String> variables = new TreeMap<>(settings.environment());
        settings.secrets().forEach((variable, name) -> variables.put(variable, found(tenant, name)));
        return variables;
    }

    private OAuthSettings oauth(
            TenantId tenant, McpServerSettings settings, URI url, McpCredentials shown, String secret) {
        ClientAuthentication client = new ClientAuthentication.Secret(present(shown.clientId()), secret);
        OAuthGrant grant = shown.kind() == McpCredentials.Kind.TOKEN_EXCHANGE
                ? new OAuthGrant.TokenExchange(
                        client,
                        new OAuthGrant.SubjectToken(ACCESS_TOKEN, () -> found(tenant, present(shown.subjectSecret()))))
                : new OAuthGrant.ClientCredentials(client);
        return new OAuthSettings(
                url,
                check(settings),
                grant,
                Set.copyOf(shown.scopes()),
                new TrustedIssuer.Only(present(shown.issuer()).toString()));
    }

    /** Which URLs may be used for a server: https, and http to loopback addresses if the settings allow it. */
    static EndpointCheck check(McpServerSettings settings) {
        return settings.plainHttp() ? EndpointCheck.LOOPBACK_WITHOUT_TLS : EndpointCheck.TLS_ONLY;
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("The settings of a server are checked when they are made.");
        }
        return value;
    }

    private String found(TenantId tenant, String name) {
        return secrets.find(tenant, name)
                .orElseThrow(() -> new Unavailable(
                        "The secret " + name + " is not configured for this tenant; add it to the server's secrets.",
                        null));
    }

    /** A secret of the tenant. */
    String secret(TenantId tenant, String name) throws McpFailure {
        try {
            return found(tenant, name);
        } catch (Unavailable missing) {
            throw new McpFailure(McpFailureKind.UNAUTHORIZED, String.valueOf(missing.getMessage()), missing);
        }
    }

    /** A header with a secret, which is looked up for every request. */
    private final class SecretHeader implements ServerAuthorization {
        private final TenantId tenant;
        private final McpCredentials shown;

        SecretHeader(TenantId tenant, McpCredentials shown) {
            this.tenant = tenant;
            this.shown = shown;
        }

        @Override
        public Map<String, String> headers() throws McpFailure {
            String secret = secret(tenant, shown.requiredSecret());
            if (secret.chars().anyMatch(c -> c < 0x20 || c > 0x7e)) {
                throw new McpFailure(
                        McpFailureKind.UNAUTHORIZED,
                        "The secret " + shown.secret() + " has characters that a header cannot have.");
            }
            return Map.of(shown.headerName(), shown.headerValue(secret));
        }

        @Override
        public @Nullable String renew(Refusal refusal) throws McpFailure {
            return headers().equals(refusal.used())
                    ? "it does not accept the secret " + shown.secret()
                    : null; // the secret has been rotated in the meantime
        }
    }
}
