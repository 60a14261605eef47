package dev.toolgate.server.dialect.approval;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Output;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.identity.Role;
import dev.toolgate.server.operate.SayTool;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Held calls and their answers over HTTP, with a tool that counts what it said. */
@Timeout(180)
class ApprovalRoutesTest {
    private static final Map<String, Integer> SAID = new ConcurrentHashMap<>();

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client admin;
    private static Client operator;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of("approvals.patience", "4s"), new SayTool(text -> {
            SAID.merge(text, 1, Integer::sum);
            return Output.text("said " + text);
        }));
        admin = server.admin();
        operator = server.as(FIRST, Role.OPERATOR);
        agent = server.as(FIRST, Role.AGENT);
        grant("agent_1", "true");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_caller_that_comes_back_later_finds_the_outcome() {
        String text = text();
        Reply held = later("call/" + text, text);

        assertThat(held.status()).as(held.toString()).isEqualTo(202);
        assertThat(held.header("Preference-Applied")).contains("respond-async");
        String location = held.header("Location").orElseThrow();
        assertThat(location).isEqualTo("/api/v1/calls/call%2F" + text);
        assertThat(held.json().path("status").asString()).isEqualTo("pending");
        assertThat(agent.get(location).status()).isEqualTo(202);
        assertThat(SAID).doesNotContainKey(text);

        assertThat(approve(id(held)).status()).isEqualTo(200);

        await().untilAsserted(() -> assertThat(agent.get(location).status()).isEqualTo(200));
        assertThat(agent.get(location).json().at("/result/data").asString()).isEqualTo("said " + text);
        assertThat(SAID.get(text)).isOne();
    }

    @Test
    void a_caller_that_waits_gets_the_outcome_and_the_record_says_who_when_and_why() {
        String text = text();
        CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(() -> execute(agent, text, text));
        String id = question(text);
        operator.post("/api/v1/approvals/" + id, "{\"approved\": true, \"reason\": \"looks fine\"}");

        assertThat(waiting.join().status()).isEqualTo(200);
        JsonNode record =
                admin.get("/api/v1/audit/logs?request_id=" + text).json().path(0);
        assertThat(record.path("approved_by").asString())
                .isEqualTo(operator.get("/api/v1/whoami").json().path("name").asString());
        assertThat(record.path("approval_reason").asString()).isEqualTo("looks fine");
        assertThat(record.path("approved_at").isString()).isTrue();
    }

    @Test
    void nobody_answers_in_time_and_a_late_yes_does_not_count() {
        String text = text();
        Reply timedOut = execute(agent, text, text);

        assertThat(timedOut.status()).isEqualTo(408);
        assertThat(timedOut.json().path("violation_type").asString()).isEqualTo("approval_timeout");
        JsonNode question = only("timed_out", text);
        Reply late = approve(question.path("approval_id").asString());
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.json().at("/error/details/state").asString()).isEqualTo("timed_out");
        assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(408);
        assertThat(SAID).doesNotContainKey(text);
    }

    @Test
    void a_replayed_yes_does_not_count_and_runs_nothing() {
        String text = text();
        Reply held = later(text, text);
        assertThat(approve(id(held)).status()).isEqualTo(200);
        await().untilAsserted(() ->
                assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(200));

        Reply replayed = approve(id(held));

        assertThat(replayed.status()).isEqualTo(409);
        assertThat(replayed.json().at("/error/details/answered_by").asString()).startsWith("key:");
        assertThat(SAID.get(text)).isOne();
    }

    @Test
    void of_two_approvers_at_once_one_wins_and_the_other_is_told_who() throws Exception {
        Client other = server.withKey(server.key(FIRST, Role.OPERATOR, null));
        for (int round = 0; round < 25; round++) {
            String text = text();
            String path = "/api/v1/approvals/" + id(later(text, text));
            List<Reply> replies = atOnce(List.of(
                    () -> operator.post(path, "{\"approved\": true}"),
                    () -> other.post(path, "{\"approved\": false}"),
                    () -> admin.post(path, "{\"approved\": true}")));

            assertThat(replies).filteredOn(reply -> reply.status() == 200).hasSize(1);
            Reply won = replies.stream()
                    .filter(reply -> reply.status() == 200)
                    .findFirst()
                    .orElseThrow();
            String state = won.json().path("state").asString();
            assertThat(replies)
                    .filteredOn(reply -> reply.status() == 409)
                    .hasSize(2)
                    .allSatisfy(lost -> {
                        assertThat(lost.json().at("/error/details/state").asString())
                                .isEqualTo(state);
                        assertThat(lost.json().at("/error/details/answered_by").asString())
                                .isEqualTo(won.json().path("answered_by").asString());
                    });
            int expected = state.equals("approved") ? 200 : 403;
            await().untilAsserted(() ->
                    assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(expected));
            assertThat(SAID.getOrDefault(text, 0)).isEqualTo(state.equals("approved") ? 1 : 0);
        }
    }

    @Test
    void the_agent_that_asks_cannot_answer_whatever_it_tries() {
        String text = text();
        String path = "/api/v1/approvals/" + id(later(text, text));

        assertThat(agent.post(path, "{\"approved\": true}").status()).isEqualTo(403);
        assertThat(agent.get(path).json().path("state").asString()).isEqualTo("pending");
        for (Role role : List.of(Role.AUDITOR, Role.ORCHESTRATOR)) {
            assertThat(server.as(FIRST, role).post(path, "{\"approved\": true}").status())
                    .isEqualTo(403);
        }
        assertThat(SAID).doesNotContainKey(text);
    }

    @Test
    void an_agent_sees_its_own_questions_and_outcomes_only() {
        grant("agent_2", "true");
        Client second = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("agent_2")));
        String text = text();
        Reply held = later(text, text);

        assertThat(second.get("/api/v1/approvals/" + id(held)).status()).isEqualTo(404);
        assertThat(second.get("/api/v1/approvals").json()).isEmpty();
        assertThat(second.get("/api/v1/calls/" + text).status()).isEqualTo(404);
        assertThat(agent.get("/api/v1/approvals?state=pending").each("approval_id"))
                .contains(id(held));
        assertThat(server.as(FIRST, Role.AUDITOR)
                        .get("/api/v1/approvals/" + id(held))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void another_tenant_neither_sees_nor_answers() {
        String text = text();
        Reply held = later(text, text);
        Client outsider = server.as(ACME, Role.ADMIN);

        assertThat(outsider.get("/api/v1/approvals/" + id(held)).status()).isEqualTo(404);
        assertThat(outsider.post("/api/v1/approvals/" + id(held), "{\"approved\": true}")
                        .status())
                .isEqualTo(404);
        assertThat(outsider.get("/api/v1/calls/" + text).status()).isEqualTo(404);
        assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(202);
        assertThat(SAID).doesNotContainKey(text);
    }

    @Test
    void a_changed_argument_asks_again_and_never_rides_on_a_yes() {
        String text = text();
        Reply held = later(text, text);

        assertThat(later(text, text + " and more").status()).isEqualTo(409);
        approve(id(held));
        await().untilAsserted(() ->
                assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(200));
        Reply changed = later(text + "-2", text + " and more");

        assertThat(changed.status()).isEqualTo(202);
        assertThat(later(text, text + " and more").status()).isEqualTo(409);
        assertThat(SAID).doesNotContainKey(text + " and more");
    }

    @Test
    void a_caller_that_hangs_up_can_collect_the_outcome_later() throws Exception {
        String text = text();
        URI url = URI.create(server.url());
        byte[] body = call(text, text).getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /api/v1/tools/execute HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                            + "Authorization: Bearer " + server.key(FIRST, Role.AGENT, RunningServer.AGENT)
                            + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            out.write(body);
            out.flush();
            question(text);
            socket.setSoLinger(true, 0);
        }
        approve(question(text));

        await().untilAsserted(() ->
                assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(200));
        assertThat(SAID.get(text)).isOne();
    }

    @Test
    void a_no_is_told_with_its_reason() {
        String text = text();
        Reply held = later(text, text);
        operator.post("/api/v1/approvals/" + id(held), "{\"approved\": false, \"reason\": \"not on Fridays\"}");

        await().untilAsserted(() ->
                assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(403));
        assertThat(agent.get("/api/v1/calls/" + text).json().path("reason").asString())
                .contains("not on Fridays");
    }

    @Test
    void a_yes_for_the_agent_stands_until_it_is_taken_back() {
        grant("trusted", "true");
        Reply held = execute(admin.with("Prefer", "respond-async"), "trusted", text(), text());
        admin.post("/api/v1/approvals/" + id(held), "{\"approved\": true, \"scope\": \"agent\", \"reason\": \"ok\"}");
        assertThat(execute(admin, "trusted", text(), text()).status()).isEqualTo(200);

        String standing = admin.get("/api/v1/approvals/standing")
                .json()
                .valueStream()
                .filter(entry -> entry.path("agent_id").asString().equals("trusted"))
                .findFirst()
                .orElseThrow()
                .path("standing_id")
                .asString();
        assertThat(admin.delete("/api/v1/approvals/standing/" + standing).status())
                .isEqualTo(204);

        assertThat(execute(admin.with("Prefer", "respond-async"), "trusted", text(), text())
                        .status())
                .isEqualTo(202);
    }

    @Test
    void a_yes_for_a_session_needs_one() {
        String text = text();
        Reply refused = admin.post(
                "/api/v1/approvals/" + id(later(text, text)), "{\"approved\": true, \"scope\": \"session\"}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.message()).contains("session");
    }

    @Test
    void secrets_are_shown_to_nobody() {
        String text = text();
        Reply held = later(text, "password=hunter22secret " + text);

        assertThat(admin.get("/api/v1/approvals/" + id(held)).text())
                .doesNotContain("hunter22secret")
                .contains("[redacted]");
    }

    @Test
    void a_call_that_needs_nobody_is_answered_at_once_whatever_its_caller_prefers() {
        grant("free", "false");

        Reply reply = execute(admin.with("Prefer", "respond-async"), "free", text(), text());

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Preference-Applied")).isEmpty();
    }

    @Test
    void open_questions_are_counted() {
        later(text(), text());

        await().untilAsserted(() ->
                assertThat(admin.get("/metrics").text()).containsPattern("toolgate_approvals_open[^\\n]* [1-9]"));
    }

    private static void grant(String name, String approval) {
        admin.post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}");
        Reply granted = admin.put(
                "/api/v1/permissions/" + name + "/say", "{\"allowed\": true, \"requires_approval\": " + approval + "}");
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
    }

    private static String text() {
        return UUID.randomUUID().toString();
    }

    private static String call(String request, String text) {
        return call("agent_1", request, text);
    }

    private static String call(String name, String request, String text) {
        return """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "say", "operation": "test",
                 "parameters": {"text": "%s"}}""".formatted(request, name, text);
    }

    private static Reply later(String request, String text) {
        return agent.with("Prefer", "respond-async").post("/api/v1/tools/execute", call(request, text));
    }

    private static Reply execute(Client client, String request, String text) {
        return client.post("/api/v1/tools/execute", call(request, text));
    }

    private static Reply execute(Client client, String name, String request, String text) {
        return client.post("/api/v1/tools/execute", call(name, request, text));
    }

    private static String id(Reply held) {
        assertThat(held.status()).as(held.toString()).isEqualTo(202);
        return held.json().path("approval_id").asString();
    }

    private static Reply approve(String id) {
        return operator.post("/api/v1/approvals/" + id, "{\"approved\": true}");
    }

    private static String question(String request) {
        await().until(() -> find("pending", request) != null);
        return only("pending", request).path("approval_id").asString();
    }

    private static JsonNode only(String state, String request) {
        JsonNode found = find(state, request);
        if (found == null) {
            throw new AssertionError("No such question.");
        }
        return found;
    }

    private static @Nullable JsonNode find(String state, String request) {
        return admin.get("/api/v1/approvals?limit=500&state=" + state)
                .json()
                .valueStream()
                .filter(entry -> entry.path("request_id").asString().equals(request))
                .findFirst()
                .orElse(null);
    }

    private static List<Reply> atOnce(List<Callable<Reply>> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(work).stream().map(Future::resultNow).toList();
        }
    }
}
