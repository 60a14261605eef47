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
import dev.toolgate.mcp.client.oauth.StoredToken;
import dev.toolgate.mcp.client.oauth.TokenRequest;
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
import dev.toolgate.store.upstream.McpServerRepository.RemovedServer;
import dev.toolgate.store.upstream.McpServerSettings;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.store.upstream.StoredAccount;
import dev.toolgate.store.upstream.StoredServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * User accounts at MCP servers: a person authorizes the gate in a browser, and the gate uses the token only for that
 * person's calls, or for the calls of the agent that it was connected for.
 */
public final class UserAccounts {
    private static final Logger LOG = LoggerFactory.getLogger(UserAccounts.class);
    private static final Duration AUTHORIZATION_TIMEOUT = Duration.ofMinutes(10);
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
     * An authorization that has been started.
     *
     * @param page the authorization server's page to redirect the browser to
     * @param browser a secret for the browser, which is required to complete the authorization
     * @param callback the redirect URI
     */
    public record Begun(URI page, String browser, URI callback, Instant expiresAt) {
        @Override
        public String toString() {
            return "Begun until " + expiresAt;
        }
    }

    /**
     * The possible owners of the account of a call, in order of precedence: the person who makes it, then its agent.
     */
    static List<AccountSubject> subjects(Caller caller) {
        return List.of(new AccountSubject.Person(caller.principal()), new AccountSubject.OfAgent(caller.agent()));
    }

    /** The account that a call uses. */
    Optional<StoredAccount> find(Caller caller, StoredServer server) {
        return find(server, subjects(caller));
    }

    /**
     * The first account of these owners, if its token can be decrypted and was issued for the current URL of the
     * server, by its configured issuer if it has one.
     */
    Optional<StoredAccount> find(StoredServer server, List<AccountSubject> subjects) {
        return table.find(server.tenant(), server.name(), subjects).filter(account -> vault.open(account)
                .filter(opened -> isOf(server, opened.token()))
                .isPresent());
    }

    private static boolean isOf(StoredServer server, StoredToken token) {
        URI issuer = credentials(server).issuer();
        return token.server().equals(String.valueOf(server.settings().url()))
                && (issuer == null || token.issuer().equals(issuer.toString()));
    }

    /**
     * Whose account a person has to connect for a caller without a usable one: that of the owner of the unusable one,
     * which would still take precedence over another's; without any, the agent's.
     */
    AccountSubject toConnect(Caller caller, StoredServer server) {
        List<AccountSubject> subjects = subjects(caller);
        Optional<String> unusable =
                table.find(server.tenant(), server.name(), subjects).map(StoredAccount::subject);
        return subjects.stream()
                .filter(subject -> unusable.equals(Optional.of(subject.text())))
                .findFirst()
                .orElseGet(() -> new AccountSubject.OfAgent(caller.agent()));
    }

    /** The page where a person connects an account of this owner; empty if the gate's public address is unknown. */
    Optional<URI> page(ServerName server, AccountSubject owner) {
        String query =
                switch (owner) {
                    case AccountSubject.Person _ -> "";
                    case AccountSubject.OfAgent of ->
                        "?agent_id=" + URLEncoder.encode(of.agent().value(), StandardCharsets.UTF_8);
                };
        return address.of(PAGE + server + query);
    }

    /**
     * Starts an authorization.
     *
     * @param login the log-in of the browser, which must still be open on completion
     * @throws McpFailure if the server or its authorization server cannot be used
     */
    public Begun begin(StoredServer server, AccountSubject subject, SecretDigest login) throws McpFailure {
        TenantId tenant = server.tenant();
        requireIssuerOfClient(server);
        OAuthAuthorization probe = connecting(server, redirectUri(ConnectAddress.CALLBACK));
        requireRefusal(server, probe);
        TokenRequest required = probe.requiredAuthorization();
        boolean registered = credentials(server).clientId() != null;
        URI redirect = redirectUri(registered ? ConnectAddress.CALLBACK : ConnectAddress.callback(required.issuer()));
        PendingAuthorization pending = connecting(server, redirect).begin(required);
        String browser = SecretText.CONSOLE_LOGIN.generate();
        Instant end = clock.instant().plus(AUTHORIZATION_TIMEOUT);
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

    private OAuthAuthorization connecting(StoredServer server, URI redirect) throws McpFailure {
        return authorization(
                server.tenant(),
                server.settings(),
                redirect,
                new ConnectingStore(vault, server.tenant(), server.name(), redirect, _ -> {}));
    }

    private static McpCredentials credentials(StoredServer server) {
        return Objects.requireNonNull(server.settings().credentials());
    }

    // Earlier versions stored such settings; accounts that are connected already know their issuer.
    private static void requireIssuerOfClient(StoredServer server) throws McpFailure {
        try {
            credentials(server).requireIssuerOfClient();
        } catch (IllegalArgumentException missing) {
            throw new McpFailure(
                    McpFailureKind.ADDRESS_REFUSED,
                    "Its credentials are incomplete: " + missing.getMessage() + ".",
                    missing);
        }
    }

    // The server's 401 response names the issuer of its tokens and the required scopes.
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
                "The server accepts requests without a token, so there is no account to connect.");
    }

    /** Takes the pending authorization of this browser, which cannot be used again; empty if there is none. */
    public Optional<AccountRequest> take(String state, String browser) {
        return table.take(SecretDigest.of(state), SecretDigest.of(browser));
    }

    /**
     * Completes an authorization and stores the token.
     *
     * @param redirected the URL of the redirect back, with its parameters
     * @param by who connects the account
     * @throws McpFailure if the authorization was denied, or the response does not match the request
     */
    public StoredAccount finish(AccountRequest request, StoredServer server, URI redirected, String by)
            throws McpFailure {
        PendingAuthorization pending = vault.pending(request)
                .orElseThrow(() -> new McpFailure(
                        McpFailureKind.UNAUTHORIZED, "The authorization was started with another encryption key."));
        UUID id = UUID.randomUUID();
        OAuthStore store = new ConnectingStore(
                vault,
                request.tenant(),
                request.server(),
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
                .finish(pending, redirected);
        return table.find(request.tenant(), id)
                .orElseThrow(() -> new McpFailure(
                        McpFailureKind.UNAUTHORIZED, "The account was reconnected or disconnected concurrently."));
    }

    /** The accounts of a tenant; of one owner, or of all if {@code subject} is null. */
    public List<StoredAccount> list(
            TenantId tenant, @Nullable AccountSubject subject, @Nullable UUID after, int limit) {
        return table.list(tenant, subject == null ? null : subject.text(), after, limit);
    }

    public Optional<StoredAccount> find(TenantId tenant, UUID id) {
        return table.find(tenant, id);
    }

    /**
     * Deletes an account and its token, and revokes the token at the issuer if it supports that.
     *
     * @param server null if it has been removed
     * @return false if there is no such account
     */
    public boolean disconnect(StoredAccount account, @Nullable StoredServer server) {
        StoredAccount deleted = table.disconnect(account.tenant(), account.id()).orElse(null);
        if (deleted == null) {
            return false;
        }
        if (server != null && server.settings().hasUserAccounts()) {
            revoke(List.of(deleted), server.settings());
        }
        return true;
    }

    /** Revokes, in the background, the tokens of accounts that were deleted with their server. */
    public void revokeRemoved(RemovedServer removed) {
        StoredServer server = removed.server();
        if (server.settings().hasUserAccounts() && !removed.accounts().isEmpty()) {
            Thread.ofVirtual().name("toolgate-mcp-revoke").start(() -> revoke(removed.accounts(), server.settings()));
        }
        if (removed.moreAccounts() > 0) {
            LOG.warn(
                    "The tokens of {} accounts at the removed MCP server '{}' are not revoked: there were too many",
                    removed.moreAccounts(),
                    server.name());
        }
    }

    // The tokens have been deleted already, so a failed revocation is only logged.
    private void revoke(List<StoredAccount> deleted, McpServerSettings settings) {
        Set<String> unreachable = new HashSet<>();
        int skipped = 0;
        for (StoredAccount account : deleted) {
            if (unreachable.contains(account.issuer())) {
                skipped++;
                continue;
            }
            try {
                AccountVault.OpenAccount opened = vault.open(account).orElse(null);
                if (opened != null) {
                    revoke(account, settings, opened);
                }
            } catch (McpFailure | RuntimeException unrevoked) {
                LOG.warn(
                        "The token of a disconnected account at MCP server '{}' could not be revoked: {}",
                        account.server(),
                        unrevoked.getMessage());
                if (isWithoutAnswer(unrevoked)) {
                    unreachable.add(account.issuer());
                }
            }
        }
        if (skipped > 0) {
            LOG.warn(
                    "The tokens of {} more accounts at MCP server '{}' were not revoked either: the issuer is unreachable",
                    skipped,
                    deleted.getFirst().server());
        }
    }

    // An issuer that answers with an error at least answers at once, and may answer the next request with a success.
    private static boolean isWithoutAnswer(Exception failure) {
        return failure instanceof McpFailure mcp
                && mcp.kind() == McpFailureKind.UNREACHABLE
                && mcp.getCause() instanceof IOException;
    }

    private void revoke(StoredAccount account, McpServerSettings settings, AccountVault.OpenAccount opened)
            throws McpFailure {
        OAuthStore store =
                new ConnectingStore(vault, account.tenant(), account.server(), opened.redirectUri(), _ -> {});
        authorization(account.tenant(), settings, opened.redirectUri(), store).revoke(opened.token());
    }

    // The call that renewed the token does not wait for this.
    private void revokeAbandoned(
            StoredAccount account, McpServerSettings settings, AccountVault.OpenAccount abandoned) {
        Thread.ofVirtual().name("toolgate-mcp-revoke").start(() -> {
            try {
                revoke(account, settings, abandoned);
            } catch (McpFailure | RuntimeException unrevoked) {
                LOG.warn(
                        "The token of an account at MCP server '{}' that was disconnected during its renewal could not be"
                                + " revoked: {}",
                        account.server(),
                        unrevoked.getMessage());
            }
        });
    }

    /** The credentials of an account, for the connection to its server. */
    ServerAuthorization authorization(StoredAccount account, McpServerSettings settings) throws McpFailure {
        URI redirect = vault.open(account)
                .map(AccountVault.OpenAccount::redirectUri)
                .orElseThrow(
                        () -> new McpFailure(McpFailureKind.UNAUTHORIZED, "The token was encrypted with another key."));
        OAuthStore store = new ConnectedStore(
                vault,
                table,
                account,
                redirect,
                abandoned -> revokeAbandoned(account, settings, new AccountVault.OpenAccount(abandoned, redirect)));
        McpCredentials shown = Objects.requireNonNull(settings.credentials());
        String id = shown.clientId();
        String secret = shown.secret();
        return id == null || secret == null
                ? authorization(account.tenant(), settings, redirect, store)
                : new AccountAuthorization(
                        () -> opener.secret(account.tenant(), secret),
                        found -> authorization(
                                account.tenant(),
                                settings,
                                redirect,
                                store,
                                new ClientAuthentication.Secret(id, found)));
    }

    private URI redirectUri(String path) throws McpFailure {
        return address.of(path)
                .orElseThrow(() -> new McpFailure(
                        McpFailureKind.ADDRESS_REFUSED,
                        "The public address of the gate is unknown; set http.public_url."));
    }

    private OAuthAuthorization authorization(
            TenantId tenant, McpServerSettings settings, URI redirect, OAuthStore store) throws McpFailure {
        return authorization(
                tenant, settings, redirect, store, registered(tenant, Objects.requireNonNull(settings.credentials())));
    }

    private OAuthAuthorization authorization(
            TenantId tenant,
            McpServerSettings settings,
            URI redirect,
            OAuthStore store,
            @Nullable ClientAuthentication registered) {
        McpCredentials shown = Objects.requireNonNull(settings.credentials());
        URI issuer = shown.issuer();
        ClientIdentity identity = new ClientIdentity(
                registered,
                issuer == null ? null : issuer.toString(),
                "https".equals(redirect.getScheme()) ? ConnectAddress.clientDocument(redirect) : null,
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
