package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static dev.toolgate.server.door.mcp.McpTestClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import dev.toolgate.server.wiring.ToolgateServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Calls of MCP clients that are not approved within the hold time, so that the client must call again. */
class McpHeldCallsTest extends HeldMcpFixture {
    private static final String TASKS = "{\"extensions\": {\"io.modelcontextprotocol/tasks\": {}}}";

    @Override
    String holdFor() {
        return "1s";
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_call_approved_later_is_collected_by_sending_it_again(Era era) {
        McpTestClient client = McpTestClient.of(agent, era);
        String text = fresh();
        JsonNode held = result(client.call("say", arguments(text)));
        assertThat(held.path("isError").asBoolean()).isTrue();
        String approval =
                held.path("_meta").path("toolgate/approval").path("id").asString();
        assertThat(held.path("content").get(0).path("text").asString()).contains(approval);
        assertThat(question(text).path("approval_id").asString()).isEqualTo(approval);

        answer(text, "true");
        await().until(() -> said.containsKey(text));

        McpTestClient later = McpTestClient.of(agent, era);
        assertThat(text(later.call("say", arguments(text)))).isEqualTo("said " + text);
        assertThat(said).containsEntry(text, 1);

        // The outcome has been collected: the next call is a new one without approval.
        assertThat(result(later.call("say", arguments(text))).path("isError").asBoolean())
                .isTrue();
        assertThat(said).containsEntry(text, 1);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_call_is_collected_after_its_tool_needs_no_approval_any_more(Era era) {
        AgentId trusted = heldAgent("trusted-" + era);
        McpTestClient client = McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, trusted)), era);
        String text = fresh();
        assertThat(text(client.call("say", arguments(text)))).contains("a person must approve");
        answer(text, "true");
        await().until(() -> said.containsKey(text));

        needNoApproval(trusted, client);

        assertThat(text(client.call("say", arguments(text)))).isEqualTo("said " + text);
        assertThat(said).containsEntry(text, 1);
        assertThat(text(client.call("say", arguments(text)))).isEqualTo("said " + text);
        assertThat(said).containsEntry(text, 2);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_call_that_waits_runs_once_after_its_tool_needs_no_approval_any_more(Era era) {
        AgentId trusted = heldAgent("waiting-" + era);
        McpTestClient client = McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, trusted)), era);
        String text = fresh();
        assertThat(text(client.call("say", arguments(text)))).contains("a person must approve");

        needNoApproval(trusted, client);

        assertThat(text(client.call("say", arguments(text)))).contains("still waits for an approval");
        assertThat(said).doesNotContainKey(text);
        answer(text, "true");
        await().until(() -> said.containsKey(text));
        assertThat(text(client.call("say", arguments(text)))).isEqualTo("said " + text);
        assertThat(said).containsEntry(text, 1);
    }

    private AgentId heldAgent(String name) {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}");
        server.admin().put("/api/v1/permissions/" + name + "/say", "{\"allowed\": true, \"requires_approval\": true}");
        return new AgentId(name);
    }

    private void needNoApproval(AgentId held, McpTestClient client) {
        server.admin().put("/api/v1/permissions/" + held + "/say", "{\"allowed\": true}");
        await().until(() -> text(client.call("say", arguments(fresh()))).startsWith("said"));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void the_last_use_of_a_grant_gives_its_outcome_once(Era era) {
        AgentId once = new AgentId("once-" + era);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + once + "\"}");
        server.admin()
                .put(
                        "/api/v1/permissions/" + once + "/say",
                        "{\"allowed\": true, \"requires_approval\": true, \"max_uses\": 1}");
        McpTestClient client = McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, once)), era);
        String text = fresh();
        assertThat(text(client.call("say", arguments(text)))).contains("a person must approve");
        answer(text, "true");
        await().until(() -> said.containsKey(text));

        assertThat(client.call("say", arguments(text + " more")).text()).contains("Unknown tool: say");
        assertThat(text(client.call("say", arguments(text)))).isEqualTo("said " + text);
        assertThat(client.call("say", arguments(text)).text()).contains("Unknown tool: say");
        assertThat(said).containsEntry(text, 1);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void the_last_use_of_a_grant_is_given_again_under_its_request_id(Era era) {
        AgentId named = new AgentId("named-" + era);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + named + "\"}");
        server.admin().put("/api/v1/permissions/" + named + "/say", "{\"allowed\": true, \"max_uses\": 1}");
        McpTestClient client = McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, named)), era);
        String text = fresh();
        String call = "{\"name\": \"say\", \"arguments\": " + arguments(text)
                + ", \"_meta\": {\"toolgate/request-id\": \"" + text + "\"}}";

        for (int i = 0; i < 3; i++) {
            assertThat(text(client.send("tools/call", call))).isEqualTo("said " + text);
        }
        assertThat(client.call("say", arguments(text)).text()).contains("Unknown tool: say");
        server.admin().delete("/api/v1/permissions/" + named + "/say");
        assertThat(client.send("tools/call", call).text()).contains("Unknown tool: say");
        assertThat(said).containsEntry(text, 1);
    }

    @Test
    void attempts_are_recorded_after_a_person_denied_the_call() {
        AgentId denied = new AgentId("denied");
        String grant = "/api/v1/permissions/denied/say";
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"denied\"}");
        server.admin().put(grant, "{\"allowed\": true, \"requires_approval\": true}");
        Client key = server.withKey(server.key(FIRST, Role.AGENT, denied));
        String text = fresh();
        McpTestClient.of(key.with("X-Correlation-ID", "held"), Era.MODERN).call("say", arguments(text));
        answer(text, "false");
        await().until(() -> !refused("held").isEmpty());
        server.admin().delete(grant);

        McpTestClient client = McpTestClient.of(key.with("X-Correlation-ID", "forbidden"), Era.MODERN);
        for (int i = 1; i <= 3; i++) {
            assertThat(client.call("say", arguments(text)).text()).contains("Unknown tool: say");
            assertThat(refused("forbidden")).hasSize(i);
        }
        server.admin().put(grant, "{\"allowed\": true, \"requires_approval\": true}");
        assertThat(text(client.call("say", arguments(text)))).contains("a person must approve");
    }

    private JsonNode refused(String correlation) {
        return server.admin()
                .get("/api/v1/audit/logs?allowed=false&correlation_id=" + correlation)
                .json();
    }

    @Test
    void an_outcome_is_collected_when_its_grant_comes_back() {
        AgentId back = new AgentId("back");
        String grant = "/api/v1/permissions/back/say";
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"back\"}");
        server.admin().put(grant, "{\"allowed\": true, \"requires_approval\": true}");
        McpTestClient client = McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, back)), Era.MODERN);
        String text = fresh();
        client.call("say", arguments(text));
        answer(text, "true");
        await().until(() -> said.containsKey(text));
        server.admin().delete(grant);
        for (int i = 0; i < 2; i++) {
            assertThat(client.call("say", arguments(text)).text()).contains("Unknown tool: say");
        }

        server.admin().put(grant, "{\"allowed\": true, \"requires_approval\": true}");

        assertThat(text(client.call("say", arguments(text)))).isEqualTo("said " + text);
        assertThat(said).containsEntry(text, 1);
    }

    @Test
    void an_outcome_is_not_read_after_its_grant_was_withdrawn() {
        AgentId fired = new AgentId("fired");
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"fired\"}");
        server.admin().put("/api/v1/permissions/fired/say", "{\"allowed\": true, \"requires_approval\": true}");
        McpTestClient client = McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, fired)), Era.MODERN);
        String text = fresh();
        client.call("say", arguments(text));
        answer(text, "true");
        await().until(() -> said.containsKey(text));
        server.admin().delete("/api/v1/permissions/fired/say");

        assertThat(client.call("say", arguments(text)).text()).contains("Unknown tool: say");
        assertThat(said).containsEntry(text, 1);
    }

    @Test
    void an_approval_covers_the_exact_call_of_its_caller() {
        McpTestClient client = McpTestClient.of(agent, Era.MODERN);
        String text = fresh();
        client.call("say", arguments(text));
        answer(text, "true");
        await().until(() -> said.containsKey(text));

        assertThat(text(client.call("say", arguments(text + " more")))).contains("a person must approve");
        Client sameAgent = server.withKey(server.key(FIRST, Role.AGENT, RunningServer.AGENT));
        assertThat(text(McpTestClient.of(sameAgent, Era.MODERN).call("say", arguments(text))))
                .contains("a person must approve");
        assertThat(said).containsEntry(text, 1).doesNotContainKey(text + " more");
    }

    @Test
    void a_denied_call_reports_the_denial_when_it_is_sent_again() {
        McpTestClient client = McpTestClient.of(agent, Era.MODERN);
        String text = fresh();
        client.call("say", arguments(text));
        answer(text, "false");

        await().untilAsserted(() -> {
            JsonNode refused = result(client.call("say", arguments(text)));
            assertThat(refused.path("_meta").path("toolgate/error").path("code").asString())
                    .isEqualTo("APPROVAL_DENIED");
        });
        assertThat(said).doesNotContainKey(text);
    }

    @Test
    void a_session_continues_at_another_instance_and_collects_a_held_call(@TempDir Path second) throws Exception {
        String key = server.key(FIRST, Role.AGENT, RunningServer.AGENT);
        String text = fresh();
        McpTestClient here = McpTestClient.of(server.withKey(key), Era.LEGACY);
        assertThat(result(here.call("say", arguments(text))).path("isError").asBoolean())
                .isTrue();
        try (ToolgateServer another = server.another(second, Map.of("dialect.mcp.hold_for", holdFor()), sayTool())) {
            McpTestClient there = McpTestClient.inSession(
                    new Client(another.url()).with("Authorization", "Bearer " + key), here.session());
            assertThat(there.tools()).isEqualTo(here.tools());
            answer(text, "true");
            await().until(() -> said.containsKey(text));

            assertThat(text(there.call("say", arguments(text)))).isEqualTo("said " + text);
        }
        assertThat(said.get(text)).isOne();
    }

    @Test
    void a_held_call_is_a_task_for_clients_that_understand_tasks() {
        McpTestClient client = McpTestClient.modern(agent, TASKS);
        String text = fresh();
        JsonNode created = result(client.call("say", arguments(text)));
        assertThat(created.path("resultType").asString()).isEqualTo("task");
        assertThat(created.path("status").asString()).isEqualTo("working");
        String task = "{\"taskId\": \"" + created.path("taskId").asString() + "\"}";
        assertThat(result(client.send("tasks/get", task)).path("status").asString())
                .isEqualTo("working");

        McpTestClient stranger =
                McpTestClient.modern(server.withKey(server.key(FIRST, Role.AGENT, RunningServer.AGENT)), TASKS);
        assertThat(stranger.send("tasks/get", task).text()).contains("There is no such task");

        answer(text, "true");
        await().until(() ->
                result(client.send("tasks/get", task)).path("status").asString().equals("completed"));
        for (int i = 0; i < 2; i++) {
            assertThat(result(client.send("tasks/get", task))
                            .path("result")
                            .path("content")
                            .get(0)
                            .path("text")
                            .asString())
                    .isEqualTo("said " + text);
        }
        assertThat(said).containsEntry(text, 1);
    }

    @Test
    void a_client_that_listens_is_notified_when_its_task_ends() throws Exception {
        McpTestClient client = McpTestClient.modern(agent, TASKS);
        McpTestClient stranger =
                McpTestClient.modern(server.withKey(server.key(FIRST, Role.AGENT, RunningServer.AGENT)), TASKS);
        String text = fresh();
        String task = result(client.call("say", arguments(text))).path("taskId").asString();

        try (LiveStream stream = listen(client, task);
                LiveStream other = listen(stranger, task)) {
            assertThat(stream.readUntil("notifications/subscriptions/acknowledged") + stream.readUntil("\n\n"))
                    .contains(task);
            assertThat(other.readUntil("notifications/subscriptions/acknowledged") + other.readUntil("\n\n"))
                    .doesNotContain(task);
            stream.readUntil("\"working\"");
            answer(text, "true");

            assertThat(stream.readUntil("\"completed\"") + stream.readUntil("\n\n"))
                    .contains("notifications/tasks", task, "said " + text);
        }
    }

    @Test
    void an_equal_call_is_new_after_its_client_got_the_outcome_of_the_task() throws Exception {
        McpTestClient client = McpTestClient.modern(agent, TASKS);
        String queried = fresh();
        String task =
                result(client.call("say", arguments(queried))).path("taskId").asString();
        answer(queried, "true");
        await().until(() -> result(client.send("tasks/get", "{\"taskId\": \"" + task + "\"}"))
                .path("status")
                .asString()
                .equals("completed"));
        String followed = fresh();
        String other =
                result(client.call("say", arguments(followed))).path("taskId").asString();
        try (LiveStream stream = listen(client, other)) {
            stream.readUntil("\"working\"");
            answer(followed, "true");
            stream.readUntil("\"completed\"");
            stream.readUntil("\n\n");
        }

        for (String text : List.of(queried, followed)) {
            assertThat(result(client.call("say", arguments(text)))
                            .path("resultType")
                            .asString())
                    .isEqualTo("task");
            assertThat(said).containsEntry(text, 1);
        }
    }

    @Test
    void a_task_that_was_cancelled_too_late_still_has_its_outcome() {
        McpTestClient client = McpTestClient.modern(agent, TASKS);
        String text = fresh();
        String task = "{\"taskId\": \""
                + result(client.call("say", arguments(text))).path("taskId").asString() + "\"}";
        answer(text, "true");
        await().until(() -> said.containsKey(text));

        assertThat(client.send("tasks/cancel", task).status()).isEqualTo(200);

        assertThat(text(client.call("say", arguments(text)))).isEqualTo("said " + text);
        assertThat(said).containsEntry(text, 1);
    }

    private static LiveStream listen(McpTestClient client, String task) throws Exception {
        return LiveStream.post(
                client.http("subscriptions/listen", ""),
                "/mcp",
                client.body("subscriptions/listen", "{\"notifications\": {\"taskIds\": [\"" + task + "\"]}}"));
    }

    @Test
    void a_cancelled_task_is_withdrawn_and_recorded() {
        McpTestClient client = McpTestClient.modern(agent.with("X-Correlation-ID", "given-up"), TASKS);
        String text = fresh();
        JsonNode created = result(client.call("say", arguments(text)));
        String task = "{\"taskId\": \"" + created.path("taskId").asString() + "\"}";
        String approval = question(text).path("approval_id").asString();

        assertThat(client.send("tasks/cancel", task).status()).isEqualTo(200);

        assertThat(result(client.send("tasks/get", task)).path("status").asString())
                .isEqualTo("cancelled");
        assertThat(operator.post("/api/v1/approvals/" + approval, "{\"approved\": true}")
                        .status())
                .isEqualTo(409);
        await().untilAsserted(() -> assertThat(server.admin()
                        .get("/api/v1/audit/logs?correlation_id=given-up")
                        .text())
                .contains("APPROVAL_DENIED"));
        assertThat(said).doesNotContainKey(text);
    }
}
