package dev.toolgate.server.operate.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.server.operate.health.HealthCheck.State;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.SharedPostgres;
import dev.toolgate.store.connection.DatabaseUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

class HealthTest {
    private static final Confinement CONFINED = new Confinement(Confinement.Level.CONFINED, "bubblewrap", "Tested.");

    @Test
    void a_server_whose_parts_work_is_ok() throws Exception {
        try (Database database = Database.open(MigratedDatabase.fresh())) {
            JsonNode json = ServerHealthChecks.of("1.2.3", database, () -> CONFINED, () -> 3, 100)
                    .report()
                    .json(Instant.EPOCH);
            assertThat(json.path("status").asString()).isEqualTo("ok");
            assertThat(json.path("service").asString()).isEqualTo("toolgate");
            assertThat(json.path("version").asString()).isEqualTo("1.2.3");
            assertThat(json.path("checks").propertyNames()).containsExactly("database", "pool", "audit", "sandbox");
            json.path("checks").forEach(check -> {
                assertThat(check.path("status").asString()).isEqualTo("ok");
                assertThat(check.path("detail").asString()).endsWith(".");
            });
        }
    }

    @Test
    void a_missing_sandbox_and_a_long_backlog_degrade_the_server() throws Exception {
        try (Database database = Database.open(MigratedDatabase.fresh())) {
            Confinement none = new Confinement(Confinement.Level.UNAVAILABLE, "none", "bubblewrap is missing");
            HealthReport report = ServerHealthChecks.of("1", database, () -> none, () -> 101, 100)
                    .report();
            assertThat(report.state()).isEqualTo(State.DEGRADED);
            assertThat(report.isReady()).isTrue();
            assertThat(report.checks().get("sandbox"))
                    .isEqualTo(HealthCheck.degraded("Commands are refused: bubblewrap is missing"));
            assertThat(report.checks().get("audit"))
                    .isEqualTo(HealthCheck.degraded("101 audit records are not yet durable."));
        }
    }

    @Test
    void an_outage_and_recovery_of_the_database_are_reported() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (Database database = Database.open(url)) {
            Health health = ServerHealthChecks.of("1", database, () -> CONFINED, () -> 0, 100);
            assertThat(health.report().state()).isEqualTo(State.OK);
            allowConnections(url, "false");
            await().until(() -> health.report().state() == State.DOWN);
            assertThat(health.report().isReady()).isFalse();
            allowConnections(url, "true");
            await().until(() -> health.report().state() == State.OK);
        }
    }

    private static void allowConnections(DatabaseUrl url, String allowed) throws Exception {
        String name = MigratedDatabase.name(url);
        try (Connection connection =
                        DriverManager.getConnection(SharedPostgres.server().jdbcUrl(), url.user(), url.password());
                var statement = connection.createStatement()) {
            statement.execute("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS " + allowed);
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE backend_type = 'client backend' AND datname = '" + name + "'");
        }
    }

    @Test
    @Timeout(30)
    void a_check_that_never_ends_does_not_delay_the_report() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        Health health = new Health("1")
                .with(
                        "stuck",
                        () -> {
                            looks.incrementAndGet();
                            awaitQuietly(never);
                            return HealthCheck.ok("Fine.");
                        },
                        HealthCheck.down("It does not answer."))
                .with("fine", () -> HealthCheck.ok("Fine."), HealthCheck.down("Silent."));
        HealthReport report = health.report();
        assertThat(report.checks().get("stuck")).isEqualTo(HealthCheck.down("It does not answer."));
        assertThat(report.checks().get("fine")).isEqualTo(HealthCheck.ok("Fine."));
        health.report();
        health.report();
        assertThat(looks)
                .as("a check that is still running is not started again")
                .hasValue(1);
        never.countDown();
        await().until(() -> health.report().state() == State.OK);
    }

    @Test
    void concurrent_reports_share_one_check() {
        AtomicInteger looks = new AtomicInteger();
        Health health = new Health("1")
                .with(
                        "counted",
                        () -> {
                            looks.incrementAndGet();
                            return HealthCheck.ok("Fine.");
                        },
                        HealthCheck.down("Silent."));
        long started = System.nanoTime();
        int asked = 0;
        while (asked < 1000) {
            health.report();
            asked++;
        }
        long seconds = (System.nanoTime() - started) / 1_000_000_000L;
        assertThat(looks.get()).isBetween(1, (int) seconds + 1);
    }

    @Test
    void a_check_that_throws_is_down() {
        Health health = new Health("1")
                .with(
                        "broken",
                        () -> {
                            throw new IllegalStateException("secret detail");
                        },
                        HealthCheck.ok("Silent."));
        assertThat(health.report().state()).isEqualTo(State.DOWN);
        assertThat(health.report().json(Instant.EPOCH).toString()).doesNotContain("secret detail");
        assertThat(health.alive().state()).isEqualTo(State.OK);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
