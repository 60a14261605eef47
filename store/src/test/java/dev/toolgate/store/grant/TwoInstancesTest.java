package dev.toolgate.store.grant;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.SharedPostgres;
import dev.toolgate.store.WithinASecond;
import dev.toolgate.store.connection.DatabaseUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TwoInstancesTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final AgentId ALICE = new AgentId("alice");
    private static final AgentId BOB = new AgentId("bob");
    private static final Author ROOT = new Author("root", null);

    private DatabaseUrl url;
    private GrantStore one;
    private GrantStore other;

    @BeforeEach
    void open() throws Exception {
        url = MigratedDatabase.fresh();
        one = GrantStore.open(url);
        other = GrantStore.open(url);
        one.sql("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme')");
    }

    @AfterEach
    void close() throws Exception {
        one.close();
        other.close();
    }

    @Test
    void a_revocation_is_visible_on_another_instance_within_a_second() {
        revokeHoldsWithinASecond();
    }

    @Test
    void a_revocation_is_visible_within_a_second_without_notifications() {
        one.sql(silentAnnouncement());

        revokeHoldsWithinASecond();
    }

    @Test
    void a_revocation_is_visible_within_a_second_without_the_watcher() {
        other.grants().stopWatching();

        revokeHoldsWithinASecond();
    }

    @Test
    void nothing_is_granted_during_an_outage() throws Exception {
        one.administration().grant(ACME, ALICE, "bash", Terms.PLAIN, ROOT);
        await().until(() -> other.grants().find(ACME, ALICE, "bash").contains(Grants.Grant.PLAIN));

        letIn("false");
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThatThrownBy(() -> other.grants().find(ACME, ALICE, "bash"))
                        .isInstanceOf(Unavailable.class));
        letIn("true");
        await().atMost(Duration.ofSeconds(10))
                .ignoreExceptionsInstanceOf(Unavailable.class)
                .until(() -> other.grants().find(ACME, ALICE, "bash").contains(Grants.Grant.PLAIN));
    }

    @Test
    void cached_grants_can_be_checked_when_the_pool_is_exhausted() throws Exception {
        one.administration().grant(ACME, ALICE, "bash", Terms.PLAIN, ROOT);
        one.administration().grant(ACME, BOB, "bash", Terms.PLAIN, ROOT);
        assertThat(other.grants().find(ACME, ALICE, "bash")).isNotEmpty();
        other.grants().stopWatching();

        List<Connection> held = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                held.add(other.database().dataSource().getConnection());
            }
            other.grants().changed(ACME);
            assertThat(other.grants().find(ACME, ALICE, "bash")).contains(Grants.Grant.PLAIN);
            assertThatThrownBy(() -> other.grants().find(ACME, BOB, "bash")).isInstanceOf(Unavailable.class);
        } finally {
            for (Connection connection : held) {
                connection.close();
            }
        }
    }

    @Test
    void concurrent_uses_never_exceed_the_maximum() throws Exception {
        one.administration().grant(ACME, ALICE, "bash", Terms.PLAIN.withMaxUses(25), ROOT);
        await().until(() -> !other.grants().find(ACME, ALICE, "bash").isEmpty());

        AtomicInteger spent = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < 32; thread++) {
                GrantRule rule = new GrantRule((thread % 2 == 0 ? one : other).grants(), Clock.systemUTC());
                threads.execute(() -> {
                    for (int call = 0; call < 10; call++) {
                        if (rule.spend(Calls.of(ACME, ALICE, "bash"), Calls.tool("bash"))) {
                            spent.incrementAndGet();
                        }
                    }
                });
            }
        }
        assertThat(spent).hasValue(25);
        assertThat(one.count("SELECT uses FROM grant_uses")).isEqualTo(25);
    }

    @Test
    void a_use_of_a_revoked_grant_is_refused_at_once() {
        one.administration().grant(ACME, ALICE, "bash", Terms.PLAIN.withMaxUses(5), ROOT);
        await().until(() -> !other.grants().find(ACME, ALICE, "bash").isEmpty());
        Grants.Uses held = requireNonNull(
                other.grants().find(ACME, ALICE, "bash").getFirst().uses());

        one.administration().revoke(ACME, ALICE, "bash", ROOT);
        assertThat(other.grants().use(ACME, held)).isFalse();
        one.administration().grant(ACME, ALICE, "bash", Terms.PLAIN.withMaxUses(5), ROOT);
        assertThat(other.grants().use(ACME, held)).isFalse();
        assertThat(one.count("SELECT uses FROM grant_uses")).isZero();
    }

    private void revokeHoldsWithinASecond() {
        for (int round = 0; round < 3; round++) {
            one.administration().grant(ACME, ALICE, "bash", Terms.PLAIN, ROOT);
            WithinASecond.holds(() -> other.grants().find(ACME, ALICE, "bash").contains(Grants.Grant.PLAIN));
            one.administration().revoke(ACME, ALICE, "bash", ROOT);
            WithinASecond.holds(() -> other.grants().find(ACME, ALICE, "bash").isEmpty());
        }
        assertThat(one.grants().find(ACME, ALICE, "bash")).isEmpty();
    }

    private static String silentAnnouncement() {
        return """
                CREATE OR REPLACE FUNCTION announce_permission_change(changed VARCHAR[]) RETURNS void LANGUAGE sql AS $$
                    INSERT INTO permission_versions AS v (tenant_id, version)
                        SELECT DISTINCT unnest(changed), 1
                        ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1
                $$""";
    }

    private void letIn(String answer) throws Exception {
        String name = url.jdbcUrl().substring(url.jdbcUrl().lastIndexOf('/') + 1);
        String anyDatabase = SharedPostgres.server().jdbcUrl();
        try (Connection connection = DriverManager.getConnection(anyDatabase, url.user(), url.password());
                var statement = connection.createStatement()) {
            statement.execute("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS " + answer);
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE backend_type = 'client backend' AND datname = '" + name + "'");
        }
    }
}
