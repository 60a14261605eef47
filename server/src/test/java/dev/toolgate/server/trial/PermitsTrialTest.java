package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tools that run elsewhere, on two servers with one database: attacks on permits, and the audit records. */
@Timeout(240)
class PermitsTrialTest {
    private static final String SECRET = "sk-ant-api03-" + "x".repeat(80) + "AA";
    private static final String DEPLOY = """
            {"description": "Deploys", "danger": "safe", "capability": "Deploy.Run",
             "input_schema": {"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]}}""";

    @TempDir
    private static Path folder;

    private static TrialDatabase trial;
    private static ToolgateServer first;
    private static ToolgateServer second;
    private static Client one;
    private static Client other;
    private static Client alice;
    private static Client mallory;

    @BeforeAll
    static void start() throws Exception {
        DatabaseUrl database = MigratedDatabase.fresh();
        trial = TrialDatabase.on(database);
        first = start("first", database);
        second = start("second", database);
        one = new Client(first.url(), TrialDatabase.ADMIN_KEY);
        other = new Client(second.url(), TrialDatabase.ADMIN_KEY);
        for (String agent : List.of("alice", "mallory", "careful")) {
            Client.expect(201, one.post("/api/v1/agents", "{\"agent_id\": \"" + agent + "\"}"));
        }
        alice = one.with(trial.key(TrialDatabase.FIRST, "agent", "alice").text());
        mallory = one.with(trial.key(TrialDatabase.FIRST, "agent", "mallory").text());
        Client.expect(201, put(one, "/api/v1/tools/external/deploy", DEPLOY));
        one.grant("alice", "deploy", "look", "file_read");
        Client.expect(
                200,
                put(one, "/api/v1/permissions/careful/deploy", "{\"allowed\": true, \"requires_approval\": true}"));
        await().until(() -> other.get("/api/v1/tools").text().contains("\"deploy\""));
    }

    private static ToolgateServer start(String name, DatabaseUrl database) throws Exception {
        Path home = Files.createDirectory(folder.resolve(name));
        return ToolgateServer.start(
                ServerSettings.load(
                        null,
                        TrialDatabase.sharing(folder.resolve("files"), home, database),
                        Map.of("tools.external.max_permit", "20m", "tools.external.permit", "15m")),
                List.of(TrialTool.reading("look", (request, _) -> Output.text("seen " + request))));
    }

    @AfterAll
    static void stop() throws Exception {
        second.close();
        first.close();
        trial.close();
    }

    @Test
    void a_permit_is_given_and_its_outcome_reported_at_another_server() {
        JsonNode permit = permitted(authorize(alice, "plain", "alice", "a"));
        assertThat(permit.path("parameters")).isEqualTo(Json.MAPPER.readTree("{\"host\": \"a\"}"));
        assertThat(records("plain")).isEmpty();
        assertThat(permitted(alice.get("/api/v1/calls/plain")).path("permit_expires_at"))
                .isEqualTo(permit.path("permit_expires_at"));

        Reply reported =
                report(other, "plain", "{\"status\": \"succeeded\", \"output\": \"up\", \"execution_time_ms\": 42}");

        Client.expect(200, reported);
        assertThat(reported.json().at("/result/data").asString()).isEqualTo("up");
        assertThat(records("plain")).singleElement().satisfies(record -> {
            assertThat(record.path("status").asString()).isEqualTo("COMPLETED");
            assertThat(record.path("executed_by").asString()).isEqualTo("client");
            assertThat(record.path("execution_time_ms").asInt()).isEqualTo(42);
            assertThat(record.path("tool_call_id").asString()).isEqualTo("toolu_1");
            assertThat(record.path("client").asString()).isEqualTo("trial/1");
            assertThat(record.path("agent_id").asString()).isEqualTo("alice");
        });
        assertThat(alice.get("/api/v1/calls/plain").json().at("/result/data").asString())
                .isEqualTo("up");
        assertThat(authorize(alice, "plain", "alice", "a")
                        .json()
                        .at("/result/data")
                        .asString())
                .isEqualTo("up");
        Client.expect(200, alice.execute("gate-run", "alice", "look", "{}"));
        assertThat(records("gate-run")).singleElement().satisfies(record -> assertThat(
                        record.path("executed_by").asString())
                .isEqualTo("gate"));
    }

    @Test
    void the_same_id_gives_the_same_permit_and_other_arguments_are_refused() throws Exception {
        Set<String> permits = new HashSet<>();
        for (Reply reply : atOnce(20, i -> authorize(i % 2 == 0 ? one : other, "same", "alice", "a"))) {
            permits.add(permitted(reply).toString());
        }

        assertThat(permits).hasSize(1);
        assertThat(authorize(alice, "same", "alice", "b").status()).isEqualTo(409);
        assertThat(alice.execute("same", "alice", "deploy", "{\"host\": \"a\"}").status())
                .isEqualTo(409);
        assertThat(trial.count("SELECT count(*) FROM tool_intents WHERE request_id = 'same'"))
                .isEqualTo(1);
    }

    @Test
    void one_of_concurrent_reports_counts_and_all_get_its_outcome() throws Exception {
        permitted(authorize(alice, "race", "alice", "a"));

        Set<String> outcomes = new HashSet<>();
        for (Reply reply : atOnce(
                20,
                i -> report(
                        i % 2 == 0 ? one : other, "race", "{\"status\": \"succeeded\", \"output\": \"" + i + "\"}"))) {
            Client.expect(200, reply);
            outcomes.add(reply.json().at("/result/data").asString());
        }

        assertThat(outcomes).hasSize(1);
        assertThat(records("race")).hasSize(1);
        Reply late = report(alice, "race", "{\"status\": \"failed\", \"error\": \"changed my mind\"}");
        assertThat(late.json().at("/result/data").asString()).isIn(outcomes);
        assertThat(records("race")).hasSize(1);
        assertThat(trial.count("SELECT count(*) FROM tool_intents WHERE request_id = 'race'"))
                .isZero();
    }

    @Test
    void other_callers_cannot_report_or_see_a_permit() {
        permitted(authorize(alice, "mine", "alice", "a"));
        TenantId acme = new TenantId("acme");
        Client.expect(201, one.post("/api/v1/tenants", "{\"tenant_id\": \"acme\", \"name\": \"Acme\"}"));
        Client stranger = one.with(trial.key(acme, "admin", null).text());
        Client auditor =
                one.with(trial.key(TrialDatabase.FIRST, "auditor", null).text());
        String lie = "{\"status\": \"succeeded\", \"output\": \"a lie\"}";

        assertThat(report(mallory, "mine", lie).status()).isEqualTo(404);
        assertThat(mallory.post("/api/v1/calls/mine/outcome?agent_id=alice", lie)
                        .status())
                .isEqualTo(404);
        assertThat(report(stranger, "mine", lie).status()).isEqualTo(404);
        assertThat(stranger.get("/api/v1/tools/external").text()).doesNotContain("deploy");
        assertThat(report(auditor, "mine", lie).status()).isEqualTo(403);
        assertThat(report(alice, "forged", lie).status()).isEqualTo(404);
        assertThat(mallory.get("/api/v1/calls/mine?agent_id=alice").status()).isEqualTo(404);
        assertThat(authorize(mallory, "theirs", "alice", "a").status()).isEqualTo(403);
        assertThat(authorize(mallory, "ungranted", "mallory", "a").status()).isEqualTo(403);
        Client.expect(200, alice.execute("ran", "alice", "look", "{}"));
        assertThat(report(alice, "ran", lie).status()).isEqualTo(404);

        assertThat(records("mine")).isEmpty();
        assertThat(permitted(alice.get("/api/v1/calls/mine")).path("outcome").asString())
                .isEqualTo("authorized");
    }

    @Test
    void an_unreported_permit_ends_as_interrupted_and_stays_so() {
        ObjectNode body = body("slow", "alice", "a").put("expires_in", 1);
        permitted(alice.post("/api/v1/tools/authorize", body.toString()));

        await().atMost(Duration.ofSeconds(30)).until(() -> records("slow").size() == 1);

        assertThat(report(alice, "slow", "{\"status\": \"succeeded\"}").status())
                .isEqualTo(409);
        assertThat(report(other, "slow", "{\"status\": \"succeeded\"}").text()).contains("expired");
        assertThat(records("slow")).singleElement().satisfies(record -> {
            assertThat(record.path("status").asString()).isEqualTo("INTERRUPTED");
            assertThat(record.path("executed_by").asString()).isEqualTo("client");
        });
        assertThat(alice.get("/api/v1/calls/slow").json().path("outcome").asString())
                .isEqualTo("failed");
    }

    @Test
    void a_permit_is_never_longer_than_the_maximum() {
        JsonNode permit = permitted(alice.post(
                "/api/v1/tools/authorize",
                body("long", "alice", "a").put("expires_in", Integer.MAX_VALUE).toString()));

        assertThat(trial.count("""
                        SELECT count(*) FROM request_keys
                        WHERE request_id = 'long' AND permit_until <= now() + interval '21 minutes'""")).as(permit.toString()).isEqualTo(1);
        assertThat(alice.post(
                                "/api/v1/tools/authorize",
                                body("none", "alice", "a").put("expires_in", 0).toString())
                        .status())
                .isEqualTo(400);
    }

    @Test
    void an_approved_call_begins_its_permit_when_its_caller_collects_it() {
        Client careful =
                one.with(trial.key(TrialDatabase.FIRST, "agent", "careful").text());
        for (String request : List.of("collected", "sent-again")) {
            Reply held = later(careful, body(request, "careful", "a").toString());
            Client.expect(202, held);
            Client.expect(202, careful.get("/api/v1/calls/" + request));
            Client.expect(
                    200,
                    one.post(
                            "/api/v1/approvals/"
                                    + held.json().path("approval_id").asString(),
                            "{\"approved\": true, \"reason\": \"fine\"}"));
            assertThat(report(careful, request, "{\"status\": \"succeeded\"}").status())
                    .as("the permit has not been collected yet")
                    .isEqualTo(404);

            Reply permit = request.equals("collected")
                    ? careful.get("/api/v1/calls/" + request)
                    : later(careful, body(request, "careful", "a").toString());

            assertThat(permitted(permit).path("parameters").path("host").asString())
                    .isEqualTo("a");
            Client.expect(200, report(careful, request, "{\"status\": \"failed\", \"error\": \"no host\"}"));
            assertThat(records(request)).singleElement().satisfies(record -> {
                assertThat(record.path("status").asString()).isEqualTo("FAILED");
                assertThat(record.path("approved_by").asString()).isNotEmpty();
                assertThat(record.path("approval_reason").asString()).isEqualTo("fine");
            });
        }
        Reply denied = later(careful, body("denied", "careful", "a").toString());
        Client.expect(
                200,
                one.post(
                        "/api/v1/approvals/" + denied.json().path("approval_id").asString(), "{\"approved\": false}"));
        await().until(() -> careful.get("/api/v1/calls/denied").status() == 403);
        assertThat(records("denied")).singleElement().satisfies(record -> assertThat(
                        record.path("status").asString())
                .isEqualTo("REFUSED"));
    }

    @Test
    void one_use_of_a_grant_is_spent_per_permit_and_not_per_repeat() {
        Client.expect(201, one.post("/api/v1/agents", "{\"agent_id\": \"once\"}"));
        Client.expect(200, put(one, "/api/v1/permissions/once/deploy", "{\"allowed\": true, \"max_uses\": 1}"));

        permitted(authorize(one, "use-1", "once", "a"));
        permitted(authorize(other, "use-1", "once", "a"));
        Client.expect(200, report(one, "use-1", "{\"status\": \"succeeded\"}"));

        assertThat(authorize(one, "use-2", "once", "a").status()).isEqualTo(403);
    }

    @Test
    void a_reported_secret_does_not_reach_the_record() {
        permitted(authorize(alice, "secret", "alice", "a"));

        Client.expect(
                200, report(alice, "secret", "{\"status\": \"failed\", \"error\": \"key " + SECRET + " is wrong\"}"));

        assertThat(records("secret").toString()).doesNotContain(SECRET).contains("is wrong");
    }

    @Test
    void an_external_tool_is_neither_run_nor_listed_at_doors_without_permits() {
        Reply executed = alice.execute("wrong-door", "alice", "deploy", "{\"host\": \"a\"}");
        assertThat(executed.json().at("/result/error/message").asString()).contains("/api/v1/tools/authorize");
        assertThat(alice.post("/api/v1/tools/authorize", Client.call("wrong-way", "alice", "look", "{}"))
                        .json()
                        .at("/result/error/message")
                        .asString())
                .contains("execute");
        assertThat(one.get("/tools").text()).contains("\"look\"").doesNotContain("\"deploy\"");
        assertThat(alice.post("/mcp", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}")
                        .text())
                .doesNotContain("\"deploy\"");
        assertThat(alice.get("/api/v1/tools").text()).contains("\"executed_by\":\"client\"");
        assertThat(one.post(
                                "/api/v1/tools/validate",
                                "{\"agent_id\": \"alice\", \"tool_name\": \"deploy\", \"parameters\": {\"host\": \"a\"}}")
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("allowed");
    }

    @Test
    void registering_needs_an_operator_and_is_recorded() {
        assertThat(put(alice, "/api/v1/tools/external/mine", DEPLOY).status()).isEqualTo(403);
        assertThat(put(one, "/api/v1/tools/external/bash", DEPLOY).status()).isEqualTo(409);
        Client operator =
                one.with(trial.key(TrialDatabase.FIRST, "operator", null).text());
        Client.expect(201, put(operator, "/api/v1/tools/external/brief", DEPLOY));
        await().until(() -> other.get("/api/v1/tools").text().contains("\"brief\""));
        one.grant("alice", "brief");
        permitted(alice.post("/api/v1/tools/authorize", Client.call("brief-1", "alice", "brief", "{\"host\": \"a\"}")));

        Client.expect(204, operator.send("DELETE", "/api/v1/tools/external/brief", BodyPublishers.noBody()));

        await().until(() -> !other.get("/api/v1/tools").text().contains("\"brief\""));
        Client.expect(200, report(alice, "brief-1", "{\"status\": \"succeeded\"}"));
        assertThat(one.get("/api/v1/audit/logs?kind=administration&tool_name=external_tools")
                        .text())
                .contains("register")
                .contains("delete");
    }

    private interface Request {
        Reply send(int number);
    }

    private static List<Reply> atOnce(int times, Request request) throws Exception {
        List<Future<Reply>> sent = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < times; i++) {
                int number = i;
                sent.add(callers.submit(() -> request.send(number)));
            }
        }
        List<Reply> replies = new ArrayList<>();
        for (Future<Reply> each : sent) {
            replies.add(each.get());
        }
        return replies;
    }

    private static Reply authorize(Client client, String request, String agent, String host) {
        return client.post("/api/v1/tools/authorize", body(request, agent, host).toString());
    }

    private static ObjectNode body(String request, String agent, String host) {
        ObjectNode body = (ObjectNode)
                Json.MAPPER.readTree(Client.call(request, agent, "deploy", "{\"host\": \"" + host + "\"}"));
        return body.put("tool_call_id", "toolu_1").put("source", "trial/1");
    }

    private static Reply later(Client client, String body) {
        try {
            return Reply.of(client.http()
                    .send(
                            client.request("POST", "/api/v1/tools/authorize", BodyPublishers.ofString(body))
                                    .header("Prefer", "respond-async")
                                    .build(),
                            BodyHandlers.ofString()));
        } catch (IOException unanswered) {
            throw new UncheckedIOException(unanswered);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static Reply report(Client client, String request, String body) {
        return client.post("/api/v1/calls/" + request + "/outcome", body);
    }

    private static Reply put(Client client, String path, String body) {
        return client.send("PUT", path, BodyPublishers.ofString(body));
    }

    private static JsonNode permitted(Reply reply) {
        Client.expect(200, reply);
        assertThat(reply.json().path("outcome").asString()).as(reply.toString()).isEqualTo("authorized");
        return reply.json();
    }

    private static List<JsonNode> records(String request) {
        JsonNode found = one.get("/api/v1/audit/logs?request_id=" + request).json();
        JsonNode all = found.isArray() ? found : found.path("logs");
        return all.valueStream()
                .filter(record -> record.path("request_id").asString().equals(request))
                .toList();
    }
}
