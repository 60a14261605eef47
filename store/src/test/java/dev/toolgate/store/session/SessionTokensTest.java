package dev.toolgate.store.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionTokensTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final SessionId ONE = new SessionId("one");

    private DatabaseUrl url;
    private Database database;
    private SessionTokens tokens;

    @BeforeEach
    void open() throws Exception {
        url = MigratedDatabase.fresh();
        database = Database.open(url);
        database.jdbi().useHandle(handle -> {
            handle.execute("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')");
            handle.execute("INSERT INTO agents (tenant_id, agent_id) VALUES ('acme', 'alice'), ('other', 'alice')");
        });
        tokens = new SessionTokens(database.jdbi());
        start(ACME, ONE);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void uses_of_a_session_add_up_from_zero() {
        assertThat(tokens.spent(ACME, ONE)).isZero();

        tokens.settle(ACME, ONE, 0, 0);
        tokens.settle(ACME, ONE, 0, 1200);
        tokens.settle(ACME, ONE, 0, 34);

        assertThat(tokens.spent(ACME, ONE)).isEqualTo(1234);
    }

    @Test
    void concurrent_uses_on_two_servers_are_all_counted() throws Exception {
        try (Database second = Database.open(url);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var servers = List.of(tokens, new SessionTokens(second.jdbi()));
            var start = new CountDownLatch(1);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                SessionTokens server = servers.get(i % 2);
                running.add(threads.submit(() -> {
                    start.await();
                    for (int j = 0; j < 5; j++) {
                        server.settle(ACME, ONE, 0, 7);
                    }
                    return server;
                }));
            }
            start.countDown();
            for (Future<?> each : running) {
                each.get();
            }
            assertThat(servers)
                    .allSatisfy(server -> assertThat(server.spent(ACME, ONE)).isEqualTo(64 * 5 * 7));
        }
    }

    @Test
    void sessions_of_two_tenants_with_one_name_are_separate() {
        tokens.settle(ACME, ONE, 0, 10);

        assertThat(tokens.spent(OTHER, ONE)).isZero();
        tokens.settle(OTHER, ONE, 0, 1000);
        assertThat(tokens.spent(OTHER, ONE)).as("there is no such session").isZero();
        assertThat(tokens.spent(ACME, ONE)).isEqualTo(10);

        start(OTHER, ONE);
        tokens.settle(OTHER, ONE, 0, 3);
        assertThat(tokens.spent(OTHER, ONE)).isEqualTo(3);
        assertThat(tokens.spent(ACME, ONE)).isEqualTo(10);
    }

    @Test
    void nothing_is_reserved_for_a_session_that_does_not_exist() {
        assertThat(tokens.reserve(OTHER, ONE, 1, 10, 100)).isZero();
        assertThat(tokens.reserve(ACME, new SessionId("none"), 1, 10, 100)).isZero();
        assertThat(tokens.spent(OTHER, ONE)).isZero();
        assertThat(tokens.spent(ACME, ONE)).isZero();
    }

    @Test
    void an_unsettled_reservation_counts_as_used_after_a_restart() throws Exception {
        assertThat(tokens.reserve(ACME, ONE, 1, 70, 100)).isEqualTo(70);
        database.close();

        database = Database.open(url);

        assertThat(new SessionTokens(database.jdbi()).reserve(ACME, ONE, 1, 70, 100))
                .isEqualTo(30);
    }

    @Test
    void used_tokens_survive_a_restart() throws Exception {
        tokens.settle(ACME, ONE, 0, 10);
        database.close();

        database = Database.open(url);

        assertThat(new SessionTokens(database.jdbi()).spent(ACME, ONE)).isEqualTo(10);
    }

    @Test
    void a_new_session_with_the_name_of_a_deleted_one_starts_at_zero() {
        tokens.settle(ACME, ONE, 0, 10);
        var sessions = new Sessions(database.jdbi());
        sessions.end(ACME, ONE);
        assertThat(tokens.spent(ACME, ONE)).as("ended, but still kept").isEqualTo(10);

        sessions.deleteEndedBefore(Instant.now().plus(Duration.ofMinutes(1)));

        assertThat(tokens.spent(ACME, ONE)).isZero();
        start(ACME, ONE);
        assertThat(tokens.spent(ACME, ONE)).isZero();
    }

    @Test
    void huge_or_negative_numbers_never_return_tokens() {
        tokens.settle(ACME, ONE, 0, Long.MAX_VALUE);
        tokens.settle(ACME, ONE, 0, Long.MAX_VALUE);
        assertThat(tokens.spent(ACME, ONE)).isEqualTo(Long.MAX_VALUE);

        assertThatThrownBy(() -> tokens.settle(ACME, ONE, 0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(tokens.spent(ACME, ONE)).isEqualTo(Long.MAX_VALUE);
    }

    private void start(TenantId tenant, SessionId session) {
        var bundle = PolicyBundle.of(
                "1",
                PolicyBundle.SCHEMA_VERSION,
                tenant,
                "user",
                session,
                Instant.now().plus(Duration.ofHours(1)),
                List.of());
        assertThat(new Sessions(database.jdbi()).create(bundle, new AgentId("alice"), null, "key:1"))
                .isPresent();
    }
}
