package dev.toolgate.server.admin.identity;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class KeyRoutesTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client admin;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        admin = server.as(ACME, Role.ADMIN);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_key_is_shown_once_and_works_until_it_is_revoked() {
        Reply made = admin.post(
                "/api/v1/keys",
                "{\"role\": \"agent\", \"agent_id\": \"bob\", \"name\": \"Bob\", \"expires_in\": \"90d\"}");

        assertThat(made.status()).isEqualTo(201);
        String text = made.json().path("key").asString();
        assertThat(text).startsWith("tg_");
        Client bob = server.withKey(text);
        JsonNode who = bob.get("/api/v1/whoami").json();
        assertThat(who.path("tenant_id").asString()).isEqualTo("acme");
        assertThat(who.path("role").asString()).isEqualTo("agent");
        assertThat(who.path("agent_id").asString()).isEqualTo("bob");
        assertThat(who.path("rights").toString())
                .isEqualTo("[\"call_as_itself\",\"list_artifacts\",\"read_artifacts\",\"write_artifacts\"]");
        assertThat(who.path("name")).isEqualTo(made.json().path("principal"));

        Reply shown = admin.get(made.header("Location").orElseThrow());
        assertThat(shown.json().path("name").asString()).isEqualTo("Bob");
        assertThat(shown.json().path("state").asString()).isEqualTo("usable");
        assertThat(shown.json().path("expires_at").isNull()).isFalse();
        assertThat(shown.json().path("created_by").asString())
                .isEqualTo(admin.get("/api/v1/whoami").json().path("name").asString());
        assertThat(shown.text() + admin.get("/api/v1/keys").text()).doesNotContain(text);

        assertThat(admin.delete("/api/v1/keys/" + made.json().path("key_id").asString())
                        .status())
                .isEqualTo(204);
        assertThat(bob.get("/api/v1/whoami").status()).isEqualTo(401);
        assertThat(admin.get(made.header("Location").orElseThrow())
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("revoked");
        assertThat(admin.delete("/api/v1/keys/" + made.json().path("key_id").asString())
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | Missing required field: role.",
                "{\"role\": \"root\"} | Field 'role' must be one of admin, operator, auditor, orchestrator, agent,"
                        + " user.",
                "{\"role\": \"agent\"} | A key must have an agent if its role is agent",
                "{\"role\": \"user\"} | A key must have a list of agents to chat as",
                "{\"role\": \"user\", \"agents\": []} | A key must have a list of agents to chat as",
                "{\"role\": \"agent\", \"agent_id\": \"bob\", \"agents\": [\"eve\"]} | its role is user, and only then",
                "{\"role\": \"agent\", \"agent_id\": \"bob\", \"agents\": []} | must name at least one agent",
                "{\"role\": \"auditor\", \"agent_id\": \"bob\"} | A key must have an agent if its role is agent",
                "{\"role\": \"auditor\", \"tenant_id\": \"default\"} | Unknown field 'tenant_id'",
                "{\"role\": \"auditor\", \"expires_in\": \"soon\"} | Field 'expires_in' must be a whole number and a"
                        + " unit",
                "{\"role\": \"auditor\", \"expires_at\": \"2999-01-01T00:00:00Z\", \"expires_in\": \"1d\"} | not both",
                "{\"role\": \"auditor\", \"name\": \"a\\u0007\"} | A key's name must have",
            })
    void invalid_key_requests_are_refused(String body, String message) {
        Map<String, List<String>> before = changeable();

        Reply refused = admin.post("/api/v1/keys", body);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.message()).contains(message);
        assertThat(changeable()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"expires_in\": \"9999999d\"", "\"expires_at\": \"2020-01-01T00:00:00Z\""})
    void an_expiry_in_the_past_is_a_conflict(String expiry) {
        Reply refused = admin.post("/api/v1/keys", "{\"role\": \"auditor\", " + expiry + "}");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
        assertThat(refused.message()).contains("Field 'expires_at' must be in the future");
    }

    @Test
    void a_rotated_key_stays_valid_until_the_overlap_ends() {
        JsonNode old = admin.post("/api/v1/keys", "{\"role\": \"operator\", \"name\": \"Ada\"}")
                .json();
        String address = "/api/v1/keys/" + old.path("key_id").asString();

        Reply rotated = admin.post(address + "/rotate", "{\"overlap\": \"2s\", \"expires_in\": \"never\"}");

        assertThat(rotated.status()).as(rotated.toString()).isEqualTo(201);
        Client before = server.withKey(old.path("key").asString());
        Client after = server.withKey(rotated.json().path("key").asString());
        assertThat(after.get("/api/v1/whoami").json())
                .as("the same person in records")
                .isEqualTo(server.withKey(rotated.json().path("key").asString())
                        .get("/api/v1/whoami")
                        .json());
        assertThat(after.get("/api/v1/whoami").json().path("name")).isEqualTo(old.path("principal"));
        assertThat(rotated.json().path("rotated_from")).isEqualTo(old.path("key_id"));
        assertThat(rotated.json().path("name").asString()).isEqualTo("Ada");
        assertThat(rotated.json().path("expires_at").isNull()).isTrue();
        assertThat(admin.get(address).json().path("expires_at"))
                .isEqualTo(rotated.json().path("previous_expires_at"));
        assertThat(admin.post(address + "/rotate", "{}").status())
                .as("already rotated, or expired")
                .isIn(404, 409);
        await().until(() -> before.get("/api/v1/whoami").status() == 401);
        assertThat(after.get("/api/v1/whoami").status()).isEqualTo(200);
        assertThat(admin.get("/api/v1/keys").each("key_id"))
                .as("both are listed")
                .contains(
                        old.path("key_id").asString(),
                        rotated.json().path("key_id").asString());
    }

    @Test
    void a_zero_overlap_ends_the_old_key_at_once_and_the_default_is_a_day() {
        JsonNode old = admin.post("/api/v1/keys", "{\"role\": \"auditor\"}").json();
        String address = "/api/v1/keys/" + old.path("key_id").asString();
        Client before = server.withKey(old.path("key").asString());
        assertThat(before.get("/api/v1/whoami").status()).isEqualTo(200);

        JsonNode next = admin.post(address + "/rotate", "{\"overlap\": \"0s\"}").json();

        assertThat(before.get("/api/v1/whoami").status()).isEqualTo(401);
        assertThat(admin.post(address + "/rotate", "{}").status()).isEqualTo(404);
        JsonNode last = admin.post("/api/v1/keys/" + next.path("key_id").asString() + "/rotate", "{}")
                .json();
        assertThat(Instant.parse(last.path("previous_expires_at").asString()))
                .isBetween(
                        Instant.now().plus(Duration.ofHours(23)), Instant.now().plus(Duration.ofHours(25)));
        assertThat(last.path("principal")).isEqualTo(old.path("principal"));
    }

    @Test
    void ended_or_foreign_keys_are_not_rotated() {
        JsonNode revoked = admin.post("/api/v1/keys", "{\"role\": \"auditor\"}").json();
        admin.delete("/api/v1/keys/" + revoked.path("key_id").asString());
        JsonNode foreign =
                server.admin().post("/api/v1/keys", "{\"role\": \"admin\"}").json();
        for (JsonNode key : List.of(revoked, foreign)) {
            Reply refused = admin.post("/api/v1/keys/" + key.path("key_id").asString() + "/rotate", "{}");
            assertThat(refused.status()).isEqualTo(404);
            assertThat(refused.text()).doesNotContain("tg_");
        }
        for (String overlap : List.of("soon", "91d", "-1s", "2w")) {
            assertThat(admin.post(
                                    "/api/v1/keys/" + foreign.path("key_id").asString() + "/rotate",
                                    "{\"overlap\": \"" + overlap + "\"}")
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void a_key_without_expiry_gets_the_default_of_the_setting() throws Exception {
        assertThat(expiry(admin, "{\"role\": \"auditor\"}"))
                .isBetween(
                        Instant.now().plus(Duration.ofDays(364)), Instant.now().plus(Duration.ofDays(366)));
        assertThat(admin.post("/api/v1/keys", "{\"role\": \"auditor\", \"expires_in\": \"never\"}")
                        .json()
                        .path("expires_at")
                        .isNull())
                .isTrue();
        try (RunningServer strict = RunningServer.start(
                Files.createTempDirectory(home, "strict"), Map.of("auth.keys.expire_after", "7d"))) {
            assertThat(expiry(strict.admin(), "{\"role\": \"auditor\"}"))
                    .isBetween(
                            Instant.now().plus(Duration.ofDays(6)),
                            Instant.now().plus(Duration.ofDays(8)));
        }
    }

    private static Instant expiry(Client client, String wanted) {
        return Instant.parse(
                client.post("/api/v1/keys", wanted).json().path("expires_at").asString());
    }

    @Test
    void a_key_of_another_tenant_is_not_found() {
        String foreign = server.admin()
                .post("/api/v1/keys", "{\"role\": \"auditor\"}")
                .json()
                .path("key_id")
                .asString();

        assertThat(admin.get("/api/v1/keys/" + foreign).status()).isEqualTo(404);
        assertThat(admin.delete("/api/v1/keys/" + foreign).status()).isEqualTo(404);
        assertThat(admin.get("/api/v1/keys?after=" + foreign).status()).isEqualTo(409);
        assertThat(admin.get("/api/v1/keys/nonsense").status()).isEqualTo(404);
        assertThat(server.admin()
                        .get("/api/v1/keys/" + foreign)
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("usable");
    }

    @Test
    void the_last_admin_key_of_a_tenant_cannot_be_revoked() {
        Client first = newTenant("lonely");
        String own = first.get("/api/v1/keys").json().at("/0/key_id").asString();
        first.post("/api/v1/keys", "{\"role\": \"operator\"}");

        Reply refused = first.delete("/api/v1/keys/" + own);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.message()).contains("create another admin key first");
        assertThat(first.get("/api/v1/whoami").status()).isEqualTo(200);

        first.post("/api/v1/keys", "{\"role\": \"admin\"}");
        assertThat(first.delete("/api/v1/keys/" + own).status()).isEqualTo(204);
        assertThat(first.get("/api/v1/whoami").status()).isEqualTo(401);
    }

    @Test
    void two_admins_that_revoke_each_other_at_once_leave_one() throws Exception {
        for (int round = 0; round < 10; round++) {
            Client one = newTenant("duel" + round);
            String oneId = one.get("/api/v1/keys").json().at("/0/key_id").asString();
            JsonNode made = one.post("/api/v1/keys", "{\"role\": \"admin\"}").json();
            Client two = server.withKey(made.path("key").asString());
            try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
                var first = both.submit(
                        () -> one.delete("/api/v1/keys/" + made.path("key_id").asString()));
                var second = both.submit(() -> two.delete("/api/v1/keys/" + oneId));
                assertThat(List.of(first.get().status(), second.get().status())).containsOnlyOnce(204);
            }
            assertThat(List.of(
                            one.get("/api/v1/whoami").status(),
                            two.get("/api/v1/whoami").status()))
                    .containsExactlyInAnyOrder(200, 401);
        }
    }

    @Test
    void a_new_tenant_gets_an_admin_key_for_itself_only() {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"of_default\"}");
        Client tenant = newTenant("fresh");

        JsonNode who = tenant.get("/api/v1/whoami").json();
        assertThat(who.path("tenant_id").asString()).isEqualTo("fresh");
        assertThat(who.path("role").asString()).isEqualTo("admin");
        assertThat(who.path("rights").toString()).doesNotContain("manage_tenants");
        assertThat(tenant.get("/api/v1/agents").text()).isEqualTo("[]");
        assertThat(server.admin().get("/api/v1/tenants").each("tenant_id")).contains("default", "acme", "fresh");

        Reply again = server.admin().post("/api/v1/tenants", "{\"tenant_id\": \"fresh\", \"name\": \"Again\"}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text()).doesNotContain("tg_");
        assertThat(tenant.get("/api/v1/keys").json()).hasSize(1);
        assertThat(server.admin()
                        .post("/api/v1/tenants", "{\"tenant_id\": \"\", \"name\": \"x\"}")
                        .status())
                .isEqualTo(400);
        assertThat(server.admin()
                        .post("/api/v1/tenants", "{\"tenant_id\": \"x\", \"name\": \" \"}")
                        .status())
                .isEqualTo(400);
    }

    private static Client newTenant(String id) {
        Reply made = server.as(FIRST, Role.ADMIN)
                .post("/api/v1/tenants", "{\"tenant_id\": \"%s\", \"name\": \"%s\"}".formatted(id, id));
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return server.withKey(made.json().at("/admin_key/key").asString());
    }

    /** The rows a request could have changed, without its audit record and the counts of those. */
    private static Map<String, List<String>> changeable() {
        Map<String, List<String>> rows = server.rowsOf(ACME);
        rows.keySet().removeIf(table -> table.startsWith("tool_audit_logs") || table.equals("audit_rollup"));
        return rows;
    }
}
