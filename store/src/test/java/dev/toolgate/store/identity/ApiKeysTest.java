package dev.toolgate.store.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.WithinASecond;
import dev.toolgate.store.grant.UnknownTarget;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApiKeysTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    private Database database;
    private KeyCache verified;
    private ApiKeys keys;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        verified = new KeyCache(database.connections());
        keys = new ApiKeys(database.jdbi(), verified::changed);
        sql("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')");
    }

    @AfterEach
    void close() throws Exception {
        verified.close();
        database.close();
    }

    @Test
    void a_created_key_is_found_by_its_digest() {
        Instant expiry = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.SECONDS);
        CreatedKey made = keys.create(NewKey.of(ACME, "agent", new AgentId("alice"), "Alice", expiry, "root"));

        assertThat(verified.find(SecretDigest.of(made.text()))).contains(made.key());
        assertThat(made.key().expiresAt()).isEqualTo(expiry);
        assertThat(made.text()).startsWith(made.key().prefix()).hasSize(52);
        assertThat(verified.find(SecretDigest.of(made.text() + "x"))).isEmpty();
        assertThat(one("SELECT agent_id FROM agents WHERE tenant_id = 'acme'")).isEqualTo("alice");
    }

    @Test
    void keys_are_unique_and_the_checksum_detects_every_typo() {
        Set<String> made = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            made.add(SecretText.API_KEY.generate());
        }
        assertThat(made).hasSize(1000).allMatch(SecretText.API_KEY::hasValidChecksum);

        String key = SecretText.API_KEY.generate();
        for (int i = 3; i < key.length(); i++) {
            char wrong = key.charAt(i) == 'x' ? 'y' : 'x';
            String mistyped = key.substring(0, i) + wrong + key.substring(i + 1);
            assertThat(SecretText.API_KEY.hasValidChecksum(mistyped)).isFalse();
            assertThat(SecretText.API_KEY.hasForm(mistyped)).isTrue();
        }
        assertThat(SecretText.API_KEY.hasValidChecksum(SecretText.CONSOLE_LOGIN.generate()))
                .isFalse();
    }

    @Test
    void keys_are_listed_newest_first_in_pages_within_their_tenant() {
        UUID first = create(ACME).key().id();
        UUID second = create(ACME).key().id();
        UUID third = create(ACME).key().id();
        create(OTHER);
        assertThat(keys.revoke(ACME, second, "root")).isTrue();

        assertThat(keys.list(ACME, null, 2)).extracting(ApiKey::id).containsExactly(third, second);
        assertThat(keys.list(ACME, second, 2)).extracting(ApiKey::id).containsExactly(first);
        assertThat(keys.find(ACME, second)).get().extracting(ApiKey::revokedBy).isEqualTo("root");
        assertThat(keys.find(OTHER, second)).isEmpty();
    }

    @Test
    void a_key_is_revoked_once_and_only_by_its_own_tenant() {
        CreatedKey made = create(ACME);

        assertThat(keys.revoke(OTHER, made.key().id(), "eve")).isFalse();
        assertThat(state(made)).isEqualTo(ApiKey.State.USABLE);
        assertThat(keys.revoke(ACME, made.key().id(), "root")).isTrue();
        assertThat(state(made)).isEqualTo(ApiKey.State.REVOKED);
        assertThat(keys.revoke(ACME, made.key().id(), "root")).isFalse();
        assertThat(keys.revoke(ACME, UUID.randomUUID(), "root")).isFalse();
    }

    @Test
    void a_key_with_an_unknown_tenant_or_a_wrong_agent_is_rejected() {
        assertThatThrownBy(() -> create(new TenantId("nobody"))).isInstanceOf(UnknownTarget.class);
        assertThatThrownBy(() -> NewKey.of(ACME, "agent", null, "", null, "root"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NewKey.of(ACME, "admin", new AgentId("a"), "", null, "root"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keys_of_a_deleted_agent_leave_the_cache() {
        CreatedKey made = keys.create(NewKey.of(ACME, "agent", new AgentId("alice"), "", null, "root"));
        assertThat(verified.find(SecretDigest.of(made.text()))).isPresent();

        sql("DELETE FROM agents WHERE agent_id = 'alice'");

        WithinASecond.holds(() -> verified.find(SecretDigest.of(made.text())).isEmpty());
    }

    @Test
    void the_last_use_is_written_once_a_minute_without_a_new_version() {
        CreatedKey made = create(ACME);
        verified.find(SecretDigest.of(made.text()));
        for (int i = 0; i < 100; i++) {
            verified.used(made.key());
        }

        await().until(() -> keys.find(ACME, made.key().id()).orElseThrow().lastUsedAt() != null);
        String row = one("SELECT xmin::text FROM api_keys WHERE tenant_id = 'acme'");
        verified.used(made.key());
        CreatedKey later = create(ACME);
        verified.used(later.key());
        await().until(() -> keys.find(ACME, later.key().id()).orElseThrow().lastUsedAt() != null);

        assertThat(one("SELECT xmin::text FROM api_keys WHERE key_id = '"
                        + made.key().id() + "'"))
                .isEqualTo(row);
        assertThat(one("SELECT count(*)::text FROM key_versions")).isEqualTo("0");
    }

    @Test
    void unknown_keys_are_not_cached() {
        CreatedKey known = create(ACME);
        verified.find(SecretDigest.of(known.text()));
        for (int i = 0; i < 500; i++) {
            assertThat(verified.find(SecretDigest.of("unknown " + i))).isEmpty();
        }

        assertThat(verified.size()).isEqualTo(1);
    }

    @Test
    void a_key_has_at_most_a_hundred_log_ins() {
        LoginTable sessions = new LoginTable(database.jdbi());
        ApiKey key = create(ACME).key();
        Instant now = Instant.now();
        for (int i = 0; i < 105; i++) {
            sessions.add(SecretDigest.of("session " + i), key, now.plusSeconds(i));
        }

        assertThat(one("SELECT count(*)::text FROM console_sessions")).isEqualTo("100");
        assertThat(sessions.find(SecretDigest.of("session 4"))).isEmpty();
        assertThat(sessions.find(SecretDigest.of("session 5"))).isPresent();
    }

    private ApiKey.State state(CreatedKey made) {
        return verified.find(SecretDigest.of(made.text())).orElseThrow().state(Instant.now());
    }

    private CreatedKey create(TenantId tenant) {
        return keys.create(NewKey.of(tenant, "operator", null, "test", null, "root"));
    }

    private void sql(String statement) {
        database.jdbi().useHandle(handle -> handle.execute(statement));
    }

    private String one(String query) {
        return database.jdbi()
                .withHandle(
                        handle -> handle.createQuery(query).mapTo(String.class).one());
    }
}
