package dev.toolgate.server.upstream;

import dev.toolgate.mcp.client.oauth.OAuthStore;
import dev.toolgate.mcp.client.oauth.RegisteredClient;
import dev.toolgate.mcp.client.oauth.StoredToken;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.store.upstream.AccountTable;
import dev.toolgate.store.upstream.StoredAccount;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The store of one connected account. One instance renews the token, and the others use the result. */
final class ConnectedStore implements OAuthStore {
    /** Longer than an authorization server may take; then the claim of a dead instance expires. */
    private static final Duration LEASE = Duration.ofSeconds(90);

    private static final Duration MAX_WAIT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final AccountVault vault;
    private final AccountTable table;
    private final StoredAccount account;
    private final URI redirectUri;

    ConnectedStore(AccountVault vault, AccountTable table, StoredAccount account, URI redirectUri) {
        this.vault = vault;
        this.table = table;
        this.account = account;
        this.redirectUri = redirectUri;
    }

    // A token is sent only to the server it was issued for, not to another URL that the name refers to now.
    @Override
    public @Nullable StoredToken token(String server) {
        return current()
                .flatMap(vault::open)
                .map(AccountVault.OpenAccount::token)
                .filter(token -> token.server().equals(server))
                .orElse(null);
    }

    private Optional<StoredAccount> current() {
        return table.find(account.tenant(), account.id());
    }

    @Override
    public void save(StoredToken token) {
        table.renewed(
                account.id(),
                vault.seal(
                        new AccountVault.OpenAccount(token, redirectUri),
                        account.tenant(),
                        account.server(),
                        account.subject()));
    }

    @Override
    public void removeToken(String server) {
        table.disconnect(account.tenant(), account.id());
    }

    @Override
    public @Nullable StoredToken renew(StoredToken old, Renewal renewal) throws McpFailure {
        long deadline = System.nanoTime() + MAX_WAIT.toNanos();
        while (true) {
            StoredAccount now = current().orElse(null);
            AccountVault.OpenAccount opened =
                    now == null ? null : vault.open(now).orElse(null);
            if (now == null || opened == null) {
                return null;
            }
            StoredToken token = opened.token();
            if (!token.accessToken().equals(old.accessToken())) {
                return token;
            }
            if (table.claimRenewal(now.id(), now.version(), LEASE)) {
                try {
                    return renewal.get();
                } finally {
                    table.giveUpRenewal(now.id(), now.version()); // no effect after a save, which changes the version
                }
            }
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                throw new McpFailure(
                        McpFailureKind.UNREACHABLE, "The token of the account is being renewed elsewhere; try again.");
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    @Override
    public @Nullable RegisteredClient client(String issuer) {
        return vault.client(account.tenant(), issuer, redirectUri);
    }

    @Override
    public void save(RegisteredClient client) {
        vault.keep(account.tenant(), redirectUri, client);
    }
}
