package dev.toolgate.server.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.mcp.client.oauth.OAuthStore;
import dev.toolgate.mcp.client.oauth.RegisteredClient;
import dev.toolgate.mcp.client.oauth.StoredToken;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.server.secret.TokenSealer;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.upstream.AccountTable;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.store.upstream.StoredAccount;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a renewal that takes longer than its lease. */
class ConnectedStoreTest {
    private static final TenantId TENANT = new TenantId("default");
    private static final ServerName NAME = new ServerName("mail");
    private static final String SERVER = "https://mail.example.com/mcp";
    private static final URI REDIRECT = URI.create("https://gate.example.com/connect/callback");
    private static final String SUBJECT = "agent:agent_1";

    private Database database;
    private AccountTable table;
    private AccountVault vault;
    private final List<StoredToken> abandoned = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        database.jdbi().useHandle(handle -> handle.execute("""
                INSERT INTO mcp_servers (tenant_id, name, source, settings, created_by, updated_by)
                VALUES ('default', 'mail', 'api', '{}', 'key:1', 'key:1')"""));
        table = new AccountTable(database.jdbi());
        vault = new AccountVault(table, new TokenSealer("k".repeat(32)), new KnownSecrets());
        connect("first");
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void a_late_renewal_does_not_overwrite_a_newer_token() throws Exception {
        OAuthStore slow = store();
        OAuthStore fast = store();
        StoredToken old = token("first");

        StoredToken result = slow.renew(old, () -> {
            endLease();
            assertThat(fast.renew(old, () -> fast.replace(old, token("newer")))).isEqualTo(token("newer"));
            return slow.replace(old, token("late"));
        });

        assertThat(result).isEqualTo(token("newer"));
        assertThat(slow.token(SERVER)).isEqualTo(token("newer"));
        assertThat(abandoned).isEmpty();
    }

    @Test
    void a_late_refusal_does_not_remove_a_newer_token() throws Exception {
        OAuthStore slow = store();
        OAuthStore fast = store();
        StoredToken old = token("first");

        StoredToken result = slow.renew(old, () -> {
            endLease();
            assertThat(fast.renew(old, () -> fast.replace(old, token("newer")))).isEqualTo(token("newer"));
            return slow.remove(old);
        });

        assertThat(result).isEqualTo(token("newer"));
        assertThat(fast.token(SERVER)).isEqualTo(token("newer"));
    }

    @Test
    void a_late_renewal_changes_no_account_that_was_connected_again() throws Exception {
        OAuthStore slow = store();
        StoredToken old = token("first");

        StoredToken result = slow.renew(old, () -> {
            connect("of another connection");
            return slow.replace(old, token("late"));
        });

        assertThat(result).isNull();
        assertThat(store().token(SERVER)).isEqualTo(token("of another connection"));
        assertThat(abandoned).isEmpty();
    }

    @Test
    void a_renewed_token_of_a_disconnected_account_is_to_be_revoked() throws Exception {
        OAuthStore slow = store();
        StoredToken old = token("first");

        StoredToken result = slow.renew(old, () -> {
            assertThat(table.disconnect(TENANT, account().id())).isPresent();
            return slow.replace(old, token("late"));
        });

        assertThat(result).isNull();
        assertThat(abandoned).containsExactly(token("late"));
    }

    @Test
    void a_late_renewal_that_fails_leaves_the_claim_of_another_instance() {
        OAuthStore slow = store();
        StoredAccount account = account();

        assertThatThrownBy(() -> slow.renew(token("first"), () -> {
                    endLease();
                    assertThat(table.claimRenewal(account.id(), account.version(), ConnectedStore.LEASE))
                            .isPresent();
                    throw new McpFailure(McpFailureKind.TIMEOUT, "too slow");
                }))
                .hasMessage("too slow");

        assertThat(table.claimRenewal(account.id(), account.version(), ConnectedStore.LEASE))
                .isEmpty();
    }

    @Test
    void a_refused_token_is_removed_with_its_account() throws Exception {
        OAuthStore store = store();

        assertThat(store.renew(token("first"), () -> store.remove(token("first"))))
                .isNull();
        assertThat(table.list(TENANT, null, null, 10)).isEmpty();
    }

    @Test
    void of_two_registrations_at_once_all_instances_use_the_first() {
        OAuthStore one = store();
        OAuthStore other = store();
        String issuer = "https://issuer.example.com";
        RegisteredClient first = new RegisteredClient(issuer, "first", null, "none", null);
        RegisteredClient second =
                new RegisteredClient(issuer, "second", "its-secret", null, Instant.parse("2027-01-01T00:00:00Z"));

        assertThat(one.save(first)).isEqualTo(first);
        assertThat(other.save(second)).isEqualTo(first);

        assertThat(one.client(issuer)).isEqualTo(first);
        assertThat(other.client(issuer)).isEqualTo(first);
        other.forget(second);
        assertThat(one.client(issuer)).isEqualTo(first);
        other.forget(first);
        assertThat(one.save(second)).isEqualTo(second);
        assertThat(other.client(issuer)).isEqualTo(second);
    }

    private void endLease() {
        database.jdbi()
                .useHandle(handle ->
                        handle.execute("UPDATE mcp_accounts SET renewing_until = now() - interval '1 second'"));
    }

    private void connect(String accessToken) {
        table.connect(
                UUID.randomUUID(),
                TENANT,
                NAME,
                SUBJECT,
                vault.seal(new AccountVault.OpenAccount(token(accessToken), REDIRECT), TENANT, NAME, SUBJECT),
                "https://issuer.example.com",
                "key:1");
    }

    private StoredAccount account() {
        return table.list(TENANT, SUBJECT, null, 1).getFirst();
    }

    private OAuthStore store() {
        return new ConnectedStore(vault, table, account(), REDIRECT, abandoned::add);
    }

    private static StoredToken token(String accessToken) {
        return new StoredToken(
                SERVER,
                SERVER,
                "https://issuer.example.com",
                "gate",
                accessToken,
                "refresh of " + accessToken,
                null,
                Set.of("read"));
    }
}
