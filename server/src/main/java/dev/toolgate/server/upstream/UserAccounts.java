package dev.toolgate.server.upstream;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.oauth.ClientAuthentication;
import dev.toolgate.mcp.client.oauth.ClientIdentity;
import dev.toolgate.mcp.client.oauth.OAuthAuthorization;
import dev.toolgate.mcp.client.oauth.OAuthGrant;
import dev.toolgate.mcp.client.oauth.OAuthSettings;
import dev.toolgate.mcp.client.oauth.OAuthStore;
import dev.toolgate.mcp.client.oauth.PendingAuthorization;
import dev.toolgate.mcp.client.oauth.TrustedIssuer;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.runtime.upstream.Upstream;
import dev.toolgate.runtime.upstream.UpstreamListener;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.secret.TokenSealer;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.identity.SecretText;
import dev.toolgate.store.upstream.AccountRequest;
import dev.toolgate.store.upstream.AccountSubject;
import dev.toolgate.store.upstream.AccountTable;
import dev.toolgate.store.upstream.McpCredentials;
import dev.toolgate.store.upstream.McpServerSettings;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.store.upstream.StoredAccount;
import dev.toolgate.store.upstream.StoredServer;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accounts that people have at MCP servers: a person authorizes the gate in a browser, and the gate uses the token for
 * that person's calls, or for the calls of the agent that it was connected for, and for nobody else's.
 */
public final class UserAccounts {
    /** Where the authorization server sends the browser back to. */
    public static final String CALLBACK = "/connect/callback";

    /** Describes the gate to authorization servers; its address is the gate's client id. */
    public static final String CLIENT_DOCUMENT = "/connect/client.json";

    private static final Logger LOG = LoggerFactory.getLogger(UserAccounts.class);
    private static final Duration TIME_TO_AUTHORIZE = Duration.ofMinutes(10);
    private static final String PAGE = "/connect/mcp/";

    private final AccountTable table;
    private final AccountVault vault;
    private final UpstreamOpener opener;
    private final PublicAddress address;
    private final Clock clock;

    public UserAccounts(
            AccountTable table,
            TokenSealer sealer,
            UpstreamOpener opener,
            PublicAddress address,
            KnownSecrets known,
            Clock clock) {
        this.table = table;
        this.vault = new AccountVault(table, sealer, known);
        this.opener = opener;
        this.address = address;
        this.clock = clock;
    }

    /**
     * An authorization that has begun.
     *
     * @param page of the authorization server, to send the browser to
     * @param browser a secret for the browser, without which it cannot be ended
     * @param callback where the browser comes back to
     */
    public record Begun(URI page, String browser, URI callback, Instant expiresAt) {
        @Override
        public String toString() {
            return "Begun until " + expiresAt;
        }
    }

    /** Whose account a call uses, the first that is connected: that of the person who makes it, or that of its agent. */
    static List<AccountSubject> subjects(Caller caller) {
        return List.of(new AccountSubject.Person(caller.principal()), new AccountSubject.OfAgent(caller.agent()));
    }

    /** The account that a call uses. */
    Optional<StoredAccount> find(Caller caller, StoredServer server) {
        return find(server, subjects(caller));
    }

    /** The first account of these, if its token can be used: it is encrypted with the key of now, for the address of now. */
    Optional<StoredAccount> find(StoredServer server, List<AccountSubject> subjects) {
        String url = String.valueOf(server.settings().url());
        return table.find(server.tenant(), server.name(), subjects).filter(account -> vault.open(account)
                .filter(opened -> opened.token().server().equals(url))
                .isPresent());
    }

    /** The page where a person connects the account that a call needs; empty if the gate's address is not known. */
    Optional<URI> page(Caller caller, ServerName server) {
        String agent = caller.agent().value();
        String query =
                agent.equals(caller.principal()) ? "" : "?agent_id=" + URLEncoder.encode(agent, StandardCharsets.UTF_8);
        return address.of(PAGE + server + query);
    }

    /**
     * Begins an authorization.
     *
     * @param login the log-in of the browser, which must still be open at the end
     * @throws McpFailure if the server or its authorization server cannot be used
     */
    public Begun begin(StoredServer server, AccountSubject subject, SecretDigest login) throws McpFailure {
        TenantId tenant = server.tenant();
        URI redirect = redirectUri();
        OAuthAuthorization authorization = authorization(
                tenant, server.settings(), redirect, new ConnectingStore(vault, tenant, redirect, _ -> {}));
        requireRefusal(server, authorization);
        PendingAuthorization pending = authorization.begin();
        String browser = SecretText.CONSOLE_LOGIN.generate();
        Instant end = clock.instant().plus(TIME_TO_AUTHORIZE);
        table.begin(new AccountRequest(
                SecretDigest.of(pending.state()),
                SecretDigest.of(browser),
                login,
                tenant,
                server.name(),
                subject.text(),
                vault.seal(pending, tenant, server.name(), subject.text()),
                end));
        return new Begun(pending.page(), browser, redirect, end);
    }

    // The server's refusal says who issues its tokens and which scopes it wants.
    private void requireRefusal(StoredServer server, ServerAuthorization authorization) throws McpFailure {
        try (Upstream probe =
                opener.open(server.tenant(), server.name(), server.settings(), authorization, UpstreamListener.NONE)) {
            probe.refresh();
        } catch (McpFailure refused) {
            if (refused.kind() == McpFailureKind.UNAUTHORIZED) {
                return;
            }
            throw refused;
        }
        throw new McpFailure(
                McpFailureKind.INVALID_ANSWER,
                "The server answers without a token, so that there is no account to connect.");
    }

    /** An authorization that was begun in this browser, which is over with this; empty if there is none. */
    public Optional<AccountRequest> take(String state, String browser) {
        return table.take(SecretDigest.of(state), SecretDigest.of(browser));
    }

    /**
     * Ends an authorization and keeps the token.
     *
     * @param cameBack the address that the browser was sent back to
     * @param by who connects the account
     * @throws McpFailure if the authorization was not given, or what came back is not the answer to the request
     */
    public StoredAccount finish(AccountRequest request, StoredServer server, URI cameBack, String by)
            throws McpFailure {
        PendingAuthorization pending = vault.pending(request)
                .orElseThrow(() -> new McpFailure(
                        McpFailureKind.UNAUTHORIZED, "The authorization was begun with another key of the gate."));
        UUID id = UUID.randomUUID();
        OAuthStore store = new ConnectingStore(
                vault,
                request.tenant(),
                pending.redirectUri(),
                token -> table.connect(
                        id,
                        request.tenant(),
                        request.server(),
                        request.subject(),
                        vault.seal(
                                new AccountVault.OpenAccount(token, pending.redirectUri()),
                                request.tenant(),
                                request.server(),
                                request.subject()),
                        token.issuer(),
                        by));
        authorization(request.tenant(), server.settings(), pending.redirectUri(), store)
                .finish(pending, cameBack);
        return table.find(request.tenant(), id)
                .orElseThrow(() -> new McpFailure(
                        McpFailureKind.UNAUTHORIZED, "The account was connected anew or disconnected meanwhile."));
    }

    /** Those of a tenant; a subject's own, or everybody's if it is null. */
    public List<StoredAccount> list(
            TenantId tenant, @Nullable AccountSubject subject, @Nullable UUID after, int limit) {
        return table.list(tenant, subject == null ? null : subject.text(), after, limit);
    }

    public Optional<StoredAccount> find(TenantId tenant, UUID id) {
        return table.find(tenant, id);
    }

    /**
     * Forgets an account and its token, and tells the issuer where it wants to know.
     *
     * @param server null if it has been removed
     * @return false if there is no such account
     */
    public boolean disconnect(StoredAccount account, @Nullable StoredServer server) {
        Optional<AccountVault.OpenAccount> opened = vault.open(account);
        if (!table.disconnect(account.tenant(), account.id())) {
            return false;
        }
        if (server != null && server.settings().hasUserAccounts() && opened.isPresent()) {
            revoke(server, opened.get());
        }
        return true;
    }

    // The token is gone from here already; whether the issuer can be told does not change that.
    private void revoke(StoredServer server, AccountVault.OpenAccount account) {
        try {
            OAuthStore store = new ConnectingStore(vault, server.tenant(), account.redirectUri(), _ -> {});
            authorization(server.tenant(), server.settings(), account.redirectUri(), store)
                    .revoke(account.token());
        } catch (McpFailure unheard) {
            LOG.warn(
                    "The token of a disconnected account at MCP server '{}' could not be revoked: {}",
                    server.name(),
                    unheard.getMessage());
        }
    }

    /** The credentials of an account, for the connection to its server. */
    ServerAuthorization authorization(StoredAccount account, McpServerSettings settings) throws McpFailure {
        URI redirect = vault.open(account)
                .map(AccountVault.OpenAccount::redirectUri)
                .orElseThrow(() -> new McpFailure(
                        McpFailureKind.UNAUTHORIZED, "The token was encrypted with another key of the gate."));
        return authorization(account.tenant(), settings, redirect, new ConnectedStore(vault, table, account, redirect));
    }

    private URI redirectUri() throws McpFailure {
        return address.of(CALLBACK)
                .orElseThrow(() -> new McpFailure(
                        McpFailureKind.ADDRESS_REFUSED,
                        "It is not known by which address people reach the gate; set http.public_url."));
    }

    private OAuthAuthorization authorization(
            TenantId tenant, McpServerSettings settings, URI redirect, OAuthStore store) throws McpFailure {
        McpCredentials shown = Objects.requireNonNull(settings.credentials());
        URI issuer = shown.issuer();
        ClientIdentity identity = new ClientIdentity(
                registered(tenant, shown),
                issuer == null ? null : issuer.toString(),
                "https".equals(redirect.getScheme()) ? redirect.resolve(CLIENT_DOCUMENT) : null,
                "Toolgate");
        return new OAuthAuthorization(
                new OAuthSettings(
                        Objects.requireNonNull(settings.url()),
                        ServerCredentials.check(settings),
                        new OAuthGrant.AuthorizationCode(identity, redirect, null),
                        Set.copyOf(shown.scopes()),
                        issuer == null ? new TrustedIssuer.NamedByServer() : new TrustedIssuer.Only(issuer.toString())),
                opener.issuers(tenant),
                store,
                clock);
    }

    private @Nullable ClientAuthentication registered(TenantId tenant, McpCredentials shown) throws McpFailure {
        String id = shown.clientId();
        String secret = shown.secret();
        if (id == null) {
            return null;
        }
        return secret == null
                ? new ClientAuthentication.Public(id)
                : new ClientAuthentication.Secret(id, opener.secret(tenant, secret));
    }
}
