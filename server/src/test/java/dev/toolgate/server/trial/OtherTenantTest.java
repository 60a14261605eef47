package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.server.trial.CrossTenantAttempts.Names;
import dev.toolgate.store.audit.rollup.AuditRollup;
import dev.toolgate.store.session.PostgresPolicies;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An admin of another tenant tries every route: nothing is visible, and nothing changes. */
@Timeout(120)
class OtherTenantTest {
    private static final TenantId VICTIM = new TenantId("victim");
    private static final Set<String> STREAMS =
            Set.of("GET /api/v1/audit/stream", "GET /api/v1/approvals/stream", "GET /api/v1/console/events");

    @TempDir
    private Path home;

    private LiveTrial live;
    private Client victim;
    private Client attacker;
    private UUID approval;
    private UUID standing;
    private Names victims;
    private Names nonexistent;

    @BeforeEach
    void start() throws Exception {
        live = LiveTrial.start(home);
        victim = live.admin.with(tenant("victim"));
        attacker = live.admin.with(tenant("mallory"));
        String key = made(victim.post(
                "/api/v1/keys", "{\"role\": \"agent\", \"agent_id\": \"victim_agent\", \"name\": \"victim's key\"}"));
        holdCalls();
        victims = new Names(
                "victim_agent",
                "victim_group",
                UUID.fromString(key),
                "victim-request",
                "victim-session",
                "victim-project",
                "victim-text",
                "victim-workspace",
                stored(victim.post("/workspaces/victim-workspace/artifacts", "same for everybody")),
                approval,
                standing);
        nonexistent = new Names(
                "absent_agent",
                "absent_group",
                UUID.randomUUID(),
                "absent-request",
                "absent-session",
                "absent-project",
                "absent-text",
                "absent-workspace",
                "art_" + UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID());
        fill();
    }

    @AfterEach
    void stop() throws Exception {
        live.close();
    }

    @Test
    void every_route_is_tried() {
        List<String> tried = new ArrayList<>(CrossTenantAttempts.BY_ROUTE.keySet());
        tried.addAll(STREAMS);
        assertThat(routes()).containsExactlyInAnyOrderElementsOf(tried);
    }

    @Test
    void no_route_shows_or_changes_anything_of_another_tenant() {
        new AuditRollup(live.trial.database().jdbi()).rebuild(); // otherwise it could happen during the test
        Map<String, String> before = rowsOfVictim();
        assertThat(String.join("\n", before.values())).contains("victim_agent", "victim-request", "victim-session");

        routes().stream()
                .filter(route -> !STREAMS.contains(route))
                .sorted(Comparator.comparing(CrossTenantAttempts::makes))
                .forEach(this::tryBoth);

        assertThat(rowsOfVictim()).isEqualTo(before);
        assertThat(victim.execute("victim-after", "victim_agent", "look", "{}").status())
                .isEqualTo(200);
    }

    @Test
    void routes_across_all_tenants_are_for_the_first_tenant_only() {
        for (String path : List.of(
                "/metrics",
                "/api/v1/audit/chains",
                "/api/v1/audit/checkpoints",
                "/api/v1/audit/verify",
                "/api/v1/tenants")) {
            assertThat(live.admin.get(path).status()).as(path).isEqualTo(200);
            assertThat(attacker.get(path).status()).as(path).isEqualTo(403);
        }
    }

    @Test
    void a_call_under_a_request_id_of_another_tenant_is_a_new_call() {
        Reply theirs = victim.execute(CrossTenantAttempts.call(victims, "victim-session"));
        int runs = live.look.runs();
        assertThat(theirs.status()).as(theirs.text()).isEqualTo(200);
        Reply granted = attacker.send(
                "PUT", "/api/v1/permissions/victim_agent/look", BodyPublishers.ofString("{\"allowed\": true}"));
        assertThat(granted.status()).as(granted.text()).isLessThan(300);
        Reply own = attacker.execute(CrossTenantAttempts.call(victims, null));
        assertThat(own.status()).as(own.text()).isEqualTo(200);
        assertThat(live.look.runs()).isEqualTo(runs + 1);
        assertThat(victim.execute(CrossTenantAttempts.call(victims, "victim-session"))
                        .text())
                .isEqualTo(theirs.text());
    }

    @Test
    void the_live_stream_has_records_of_the_own_tenant_only() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(attacker.url() + "/api/v1/audit/stream"))
                .header("Authorization", "Bearer " + attacker.key())
                .build();
        try (var stream = attacker.http()
                        .send(request, BodyHandlers.ofInputStream())
                        .body();
                var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            victim.execute("victim-live", "victim_agent", "look", "{}");
            attacker.execute("own-live", "nobody", "look", "{}");
            StringBuilder seen = new StringBuilder();
            while (!seen.toString().contains("own-live")) {
                seen.append(lines.readLine()).append('\n');
            }
            assertThat(seen.toString()).doesNotContain("victim");
        }
    }

    private void tryBoth(String route) {
        Reply reply = CrossTenantAttempts.by(route, victims).by(attacker);
        Reply absent = CrossTenantAttempts.by(route, nonexistent).by(attacker);
        assertThat(reply.status()).as("%s %s", route, reply).isLessThan(500);
        String seen = victims.outOf(reply.text());
        assertThat(seen.toLowerCase(Locale.ROOT)).as("what %s shows", route).doesNotContain("victim");
        assertThat(shape(reply.status() + " " + seen))
                .as("%s answers as for ids that do not exist", route)
                .isEqualTo(shape(absent.status() + " " + nonexistent.outOf(absent.text())));
    }

    /** Without fields that differ in every response. */
    private static String shape(String text) {
        return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "<time>")
                .replaceAll("tg_[A-Za-z0-9_-]+", "<secret>")
                .replaceAll("(nonce=\"|csp-nonce\" content=\")[^\"]+", "$1<nonce>")
                .replaceAll("key:[0-9a-f-]{36}", "<principal>")
                .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "<uuid>")
                .replaceAll("\"(correlation_id|hash|previous_hash)\":\"[^\"]*\"", "\"$1\"")
                .replaceAll("\\d+", "0");
    }

    private List<String> routes() {
        return live.server.routes().all().stream()
                .map(route -> route.method() + " " + route.path().text())
                .toList();
    }

    private String tenant(String name) {
        Reply made = live.admin.post(
                "/api/v1/tenants", "{\"tenant_id\": \"" + name + "\", \"name\": \"tenant " + name + "\"}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.json().path("admin_key").path("key").asString();
    }

    private static String made(Reply key) {
        assertThat(key.status()).as(key.text()).isEqualTo(201);
        return key.json().path("key_id").asString();
    }

    private static String stored(Reply artifact) {
        assertThat(artifact.status()).as(artifact.text()).isEqualTo(201);
        return artifact.json().path("id").asString();
    }

    /** One held call and one with a standing approval. */
    private void holdCalls() {
        Client.expect(201, victim.post("/api/v1/agents", "{\"agent_id\": \"victim_holder\"}"));
        Client.expect(
                200,
                victim.send(
                        "PUT",
                        "/api/v1/permissions/victim_holder/note",
                        BodyPublishers.ofString("{\"allowed\": true, \"requires_approval\": true}")));
        String answered = held("victim-held-1");
        approval = UUID.fromString(held("victim-held-2"));
        Client.expect(200, victim.post("/api/v1/approvals/" + answered, "{\"approved\": true, \"scope\": \"agent\"}"));
        await().until(() -> live.trial.count("SELECT count(*) FROM approvals WHERE ended_at IS NOT NULL") == 1);
        standing = UUID.fromString(victim.get("/api/v1/approvals/standing")
                .json()
                .path(0)
                .path("standing_id")
                .asString());
    }

    private String held(String request) {
        Reply held = victim.executeLater(Client.call(request, "victim_holder", "note", "{\"text\": \"victim-text\"}"));
        Client.expect(202, held);
        return held.json().path("approval_id").asString();
    }

    @Test
    void a_held_call_of_another_tenant_cannot_be_approved() {
        assertThat(attacker.post("/api/v1/approvals/" + approval, "{\"approved\": true}")
                        .status())
                .isEqualTo(404);
        assertThat(victim.get("/api/v1/approvals/" + approval)
                        .json()
                        .path("state")
                        .asString())
                .isEqualTo("pending");
        assertThat(live.note.runs()).isOne();
    }

    /** Creates one resource of each kind. */
    private void fill() {
        for (String route : List.of(
                "POST /api/v1/groups",
                "POST /api/v1/mcp/servers",
                "PUT /api/v1/groups/{group_id}/members/{agent_id}",
                "PUT /api/v1/groups/{group_id}/permissions/{tool_name}")) {
            Reply reply = CrossTenantAttempts.by(route, victims).by(victim);
            assertThat(reply.status()).as(route + " " + reply).isLessThan(300);
        }
        Reply granted = victim.send(
                "PUT",
                "/api/v1/permissions/victim_agent/look",
                BodyPublishers.ofString(
                        "{\"allowed\": true, \"notes\": \"victim's notes\", \"reason\": \"victim-text\"}"));
        assertThat(granted.status()).as(granted.text()).isLessThan(300);
        new PostgresPolicies(live.trial.database().jdbi(), live.trial.database().dataSource())
                .put(PolicyBundleJson.read("""
                {"policyBundleVersion": "1", "schemaVersion": "1.0", "tenantId": "victim", "userId": "u",
                 "sessionId": "victim-session", "expiresAt": "2099-01-01T00:00:00Z",
                 "capabilities": [{"name": "Trial.Run"}]}"""));
        assertThat(new PostgresPolicies(
                                live.trial.database().jdbi(),
                                live.trial.database().dataSource())
                        .find(VICTIM, new SessionId("victim-session")))
                .isPresent();
        Reply called = victim.execute(CrossTenantAttempts.call(victims, "victim-session"));
        assertThat(called.status()).as(called.text()).isEqualTo(200);
    }

    private Map<String, String> rowsOfVictim() {
        Map<String, String> rows = new TreeMap<>();
        live.trial
                .rows("SELECT table_name FROM information_schema.columns WHERE column_name = 'tenant_id'"
                        + " AND table_schema = 'public'")
                .forEach(table -> {
                    String name = String.valueOf(table.get("table_name"));
                    // The time a key was last used is written later.
                    rows.put(
                            name,
                            live.trial
                                    .rows("SELECT (to_jsonb(t) - 'last_used_at')::text AS line FROM " + name
                                            + " t WHERE tenant_id = 'victim' ORDER BY 1")
                                    .toString());
                });
        return rows;
    }
}
