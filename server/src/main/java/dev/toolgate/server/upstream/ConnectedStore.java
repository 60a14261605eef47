package dev.toolgate.server.upstream;

import dev.toolgate.mcp.client.oauth.OAuthStore;
import dev.toolgate.mcp.client.oauth.RegisteredClient;
import dev.toolgate.mcp.client.oauth.StoredToken;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.store.identity.SealedBytes;
import dev.toolgate.store.upstream.AccountTable;
import dev.toolgate.store.upstream.StoredAccount;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The store of one connected account. One instance renews the token, and the others use the result. */
final class ConnectedStore implements OAuthStore {
    /** Longer than an authorization server may take; then the claim of a dead instance expires. */
    static final Duration LEASE = Duration.ofSeconds(90);

    private static final Duration MAX_WAIT = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final AccountVault vault;
    private final AccountTable table;
    private final StoredAccount account;
    private final URI redirectUri;
    private final Consumer<StoredToken> abandoned;

    /**
     * @param abandoned receives a renewed token whose account was disconnected meanwhile, to revoke it
     */
    ConnectedStore(
            AccountVault vault,
            AccountTable table,
            StoredAccount account,
            URI redirectUri,
            Consumer<StoredToken> abandoned) {
        this.vault = vault;
        this.table = table;
        this.account = account;
        this.redirectUri = redirectUri;
        this.abandoned = abandoned;
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

    /** The account, if this is still its token. */
    private Optional<StoredAccount> holding(StoredToken token) {
        return current()
                .filter(now ->
                        vault.open(now).map(AccountVault.OpenAccount::token).equals(Optional.of(token)));
    }

    private SealedBytes sealed(StoredToken token) {
        return vault.seal(
                new AccountVault.OpenAccount(token, redirectUri),
                account.tenant(),
                account.server(),
                account.subject());
    }

    @Override
    public void save(StoredToken token) {
        current().ifPresent(now -> table.renew(now.id(), now.version(), sealed(token)));
    }

    // A renewal that took longer than its lease must not overwrite what another instance has stored since.
    @Override
    public @Nullable StoredToken replace(StoredToken old, StoredToken renewed) {
        boolean replaced = holding(old)
                .filter(now -> table.renew(now.id(), now.version(), sealed(renewed)))
                .isPresent();
        if (replaced) {
            return renewed;
        }
        // Not if there is another token of the same user: an issuer may end the whole access with one token (RFC 7009).
        if (!table.isConnected(account.tenant(), account.server(), account.subject())) {
            abandoned.accept(renewed);
        }
        return token(old.server());
    }

    @Override
    public @Nullable StoredToken remove(StoredToken unusable) {
        boolean removed = holding(unusable)
                .filter(now -> table.disconnect(now.id(), now.version()))
                .isPresent();
        return removed ? null : token(unusable.server());
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
            Instant claimedUntil =
                    table.claimRenewal(now.id(), now.version(), LEASE).orElse(null);
            if (claimedUntil != null) {
                try {
                    return renewal.get();
                } finally {
                    table.releaseRenewal(now.id(), claimedUntil); // no effect after a success, or another's claim
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
        return vault.client(account.tenant(), account.server(), issuer, redirectUri);
    }

    @Override
    public RegisteredClient save(RegisteredClient client) {
        return vault.keep(account.tenant(), account.server(), redirectUri, client);
    }

    @Override
    public void forget(RegisteredClient client) {
        vault.forget(account.tenant(), redirectUri, client);
    }
}
