package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Role;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.SharedPostgres;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.identity.CreatedKey;
import dev.toolgate.store.identity.SecretText;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyFloodTest {
    private DatabaseUrl url;
    private IdentityFixture instance;

    @BeforeEach
    void open() throws Exception {
        url = MigratedDatabase.fresh();
        instance = IdentityFixture.open(url);
        instance.sql("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme')");
    }

    @AfterEach
    void close() throws Exception {
        instance.close();
    }

    @Test
    void a_flood_of_guesses_without_a_checksum_is_never_looked_up() {
        instance.sql("ALTER TABLE api_keys RENAME TO out_of_reach"); // lookups now fail

        for (int i = 0; i < 1000; i++) {
            assertThat(instance.identify("Bearer let me in, please, number " + i))
                    .isInstanceOf(i < 10 ? Identity.Unknown.class : Identity.SlowedDown.class);
        }
        assertThatThrownBy(() -> instance.identify("Bearer " + SecretText.API_KEY.generate()))
                .isInstanceOf(Unavailable.class);
    }

    @Test
    void a_flood_of_keys_with_a_checksum_is_looked_up_a_few_at_a_time() throws Exception {
        int highest = 0;
        try (ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Identity>> answers = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                answers.add(crowd.submit(() -> instance.identify("Bearer " + SecretText.API_KEY.generate())));
            }
            while (answers.stream().anyMatch(answer -> !answer.isDone())) {
                highest = Math.max(highest, lookingUp());
            }
            for (Future<Identity> answer : answers) {
                assertThat(answer.get()).isNotInstanceOf(Identity.Known.class);
            }
        }
        assertThat(highest).isLessThanOrEqualTo(6);
    }

    private int lookingUp() {
        return instance.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%k.key_hash = %'"
                                + " AND datname = current_database() AND pid <> pg_backend_pid()")
                .mapTo(int.class)
                .one());
    }

    @Test
    void a_valid_key_is_accepted_amid_wrong_ones_from_its_address() {
        CreatedKey good = instance.key(Role.ORCHESTRATOR, null);
        for (int i = 0; i < 20; i++) {
            instance.identify("Bearer " + SecretText.API_KEY.generate(), "127.0.0.1");
            instance.identify("Bearer tg_mistyped" + i, "127.0.0.1");
        }

        assertThat(instance.identify("Bearer " + good.text(), "127.0.0.1")).isInstanceOf(Identity.Known.class);
    }

    @Test
    void a_mistyped_key_is_recognised_without_the_database() {
        String key = instance.key(Role.ADMIN, null).text();
        instance.sql("ALTER TABLE api_keys RENAME TO out_of_reach");

        String mistyped = key.substring(0, 30) + (key.charAt(30) == 'a' ? 'b' : 'a') + key.substring(31);
        assertThat(instance.identify("Bearer " + mistyped)).isInstanceOf(Identity.Unknown.class);
    }

    @Test
    void valid_keys_are_not_delayed_by_guesses_from_the_same_address() {
        CreatedKey good = instance.key(Role.ORCHESTRATOR, null);
        assertThat(instance.identify("Bearer " + good.text(), "127.0.0.1")).isInstanceOf(Identity.Known.class);
        for (int i = 0; i < 10; i++) {
            assertThat(instance.identify("Bearer " + SecretText.API_KEY.generate(), "127.0.0.1"))
                    .isInstanceOf(Identity.Unknown.class);
        }

        assertThat(instance.identify("Bearer " + SecretText.API_KEY.generate(), "127.0.0.1"))
                .isInstanceOf(Identity.SlowedDown.class);
        assertThat(instance.identify("Bearer " + good.text(), "127.0.0.1")).isInstanceOf(Identity.Known.class);
        assertThat(instance.identify("Bearer " + good.text(), "127.0.0.2")).isInstanceOf(Identity.Known.class);
    }

    @Test
    void repeated_use_of_a_revoked_key_is_delayed_too() {
        CreatedKey key = instance.key(Role.ADMIN, null);
        instance.keys().revoke(IdentityFixture.ACME, key.key().id(), "root");
        for (int i = 0; i < 10; i++) {
            assertThat(instance.identify("Bearer " + key.text())).isInstanceOf(Identity.Unknown.class);
        }

        assertThat(instance.identify("Bearer " + key.text())).isInstanceOf(Identity.SlowedDown.class);
    }

    @Test
    void keys_are_unavailable_during_a_database_outage_and_work_after_it() throws Exception {
        CreatedKey key = instance.key(Role.ADMIN, null);
        assertThat(instance.identify("Bearer " + key.text())).isInstanceOf(Identity.Known.class);

        letIn("false");
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThatThrownBy(() -> instance.identify("Bearer " + key.text()))
                        .isInstanceOf(Unavailable.class));
        assertThatThrownBy(() -> instance.identify("Bearer " + SecretText.API_KEY.generate()))
                .isInstanceOf(Unavailable.class);
        letIn("true");
        await().atMost(Duration.ofSeconds(10))
                .ignoreExceptionsInstanceOf(Unavailable.class)
                .until(() -> instance.identify("Bearer " + key.text()) instanceof Identity.Known);
    }

    private void letIn(String answer) throws Exception {
        String name = MigratedDatabase.name(url);
        String anyDatabase = SharedPostgres.server().jdbcUrl();
        try (Connection connection = DriverManager.getConnection(anyDatabase, url.user(), url.password());
                var statement = connection.createStatement()) {
            statement.execute("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS " + answer);
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE backend_type = 'client backend' AND datname = '" + name + "'");
        }
    }
}
