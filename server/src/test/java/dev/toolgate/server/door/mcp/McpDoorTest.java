package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import dev.toolgate.server.operate.SayTool;
import dev.toolgate.server.wiring.ToolgateServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The gate as an MCP server, as clients of either era see it. */
@Timeout(120)
class McpDoorTest {
    private static final Map<String, Integer> SAID = new ConcurrentHashMap<>();
    private static final NoteTool NOTES = new NoteTool();
    private static final String NOTE = "notes__take";

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client agent;
    private static Client other;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of(), NOTES, new SayTool(text -> {
            SAID.merge(text, 1, Integer::sum);
            return Output.text("said " + text);
        }));
        agent = server.as(FIRST, Role.AGENT);
        other = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("agent_2")));
        for (String name : List.of("agent_1", "agent_2", "agent_3")) {
            server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}");
        }
        grant("agent_1", "say");
        grant("agent_1", "notes%2Ftake");
        grant("agent_2", "notes%2Ftake");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static void grant(String name, String tool) {
        Reply granted = server.admin().put("/api/v1/permissions/" + name + "/" + tool, "{\"allowed\": true}");
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void the_tools_that_are_granted_are_listed_and_can_be_called(Era era) {
        McpTestClient client = McpTestClient.of(agent, era);

        JsonNode tools = result(client.send("tools/list", "{}")).path("tools");
        assertThat(tools.valueStream().map(tool -> tool.path("name").asString()))
                .containsExactly(NOTE, "say");
        JsonNode note = tools.get(0);
        assertThat(note.path("title").asString()).isEqualTo("Notes take");
        assertThat(note.path("inputSchema").path("required").toString()).isEqualTo("[\"doing\"]");
        assertThat(note.path("outputSchema").path("properties").has("length")).isTrue();
        assertThat(note.path("annotations").path("readOnlyHint").asBoolean()).isFalse();
        assertThat(tools.get(1).path("annotations").path("readOnlyHint").asBoolean())
                .isTrue();

        assertThat(McpTestClient.text(client.call("say", "{\"text\": \"hello\"}")))
                .isEqualTo("said hello");
        JsonNode kept = result(client.call(NOTE, "{\"doing\": \"print\"}"));
        assertThat(kept.path("structuredContent").toString()).isEqualTo("{\"text\":\"print\",\"length\":4}");
        assertThat(kept.has("isError")).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_denied_tool_is_indistinguishable_from_an_unknown_one(Era era) {
        McpTestClient first = McpTestClient.of(agent, era);
        McpTestClient second = McpTestClient.of(agent, era);
        assertThat(second.tools()).doesNotContain("bash");
        assertThat(first.tools()).doesNotContain("bash");

        Reply denied = first.call("bash", "{\"command\": \"date\"}");
        Reply unknown = second.call("hsab", "{\"command\": \"date\"}");

        assertThat(denied.text()).contains("Unknown tool: bash").contains("-32602");
        assertThat(denied.text().replace("bash", "hsab")).isEqualTo(unknown.text());
        assertThat(denied.status()).isEqualTo(unknown.status());
        assertThat(namesOfHeaders(denied)).isEqualTo(namesOfHeaders(unknown));
    }

    @Test
    void a_denied_tool_is_unknown_to_clients_with_tasks_and_request_ids_too() {
        String capabilities = "{\"extensions\": {\"io.modelcontextprotocol/tasks\": {}}, \"elicitation\": {}}";
        String params = """
                {"name": "bash", "arguments": {}, "_meta": {"progressToken": 1, "toolgate/request-id": "hidden"}}""";

        Reply denied = McpTestClient.modern(agent, capabilities).send("tools/call", params);
        Reply unknown = McpTestClient.modern(agent, capabilities).send("tools/call", params.replace("bash", "hsab"));

        assertThat(denied.text()).contains("Unknown tool: bash");
        assertThat(denied.text().replace("bash", "hsab")).isEqualTo(unknown.text());
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_request_id_that_was_used_reveals_no_hidden_tool(Era era) {
        String meta = "\"_meta\": {\"toolgate/request-id\": \"used-" + era + "\"}}";
        McpTestClient.of(agent, era)
                .send("tools/call", "{\"name\": \"say\", \"arguments\": {\"text\": \"used\"}, " + meta);
        Client recorded = agent.with("X-Correlation-ID", "used-" + era);
        int before = SAID.values().stream().mapToInt(Integer::intValue).sum();

        List<String> replies = new ArrayList<>();
        for (String name : List.of("bash", "hsab", "saySomething", "notes/take")) {
            Reply reply = McpTestClient.of(recorded, era)
                    .send(
                            "tools/call",
                            "{\"name\": \"" + name + "\", \"arguments\": {\"text\": \"used\", \"doing\": \"print\"}, "
                                    + meta);
            assertThat(reply.text()).contains("Unknown tool: " + name);
            replies.add(reply.text().replace(name, "NAME"));
        }

        assertThat(replies).containsOnly(replies.getFirst());
        assertThat(SAID.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(before);
        assertThat(server.admin()
                        .get("/api/v1/audit/logs?allowed=false&correlation_id=used-" + era)
                        .json()
                        .size())
                .isEqualTo(4);
    }

    private static List<String> namesOfHeaders(Reply reply) {
        return reply.response().headers().map().keySet().stream().sorted().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"saySomething", "notes/take", "notes_take", "SAY"})
    void a_tool_is_called_by_its_listed_name_only(String name) {
        int before = SAID.values().stream().mapToInt(Integer::intValue).sum();

        Reply reply = McpTestClient.of(agent, Era.MODERN).call(name, "{\"text\": \"x\", \"doing\": \"print\"}");

        assertThat(reply.text()).contains("Unknown tool: " + name);
        assertThat(SAID.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_revoked_grant_takes_effect_in_the_middle_of_a_session(Era era) {
        grant("agent_3", "say");
        Client third = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("agent_3")));
        McpTestClient client = McpTestClient.of(third, era);
        assertThat(McpTestClient.text(client.call("say", "{\"text\": \"before\"}")))
                .isEqualTo("said before");

        server.admin().delete("/api/v1/permissions/agent_3/say");

        assertThat(client.call("say", "{\"text\": \"after\"}").text()).contains("Unknown tool: say");
        assertThat(client.tools()).isEmpty();
        assertThat(SAID).doesNotContainKey("after");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void every_call_is_recorded_with_the_name_of_its_client(Era era) {
        McpTestClient client = McpTestClient.of(agent.with("X-Correlation-ID", "record-" + era), era);
        client.call("say", "{\"text\": \"on record\"}");
        client.call("bash", "{\"command\": \"date\"}");
        client.call("nothing", "{}");

        JsonNode records = server.admin()
                .get("/api/v1/audit/logs?correlation_id=record-" + era + "&order=asc")
                .json();
        assertThat(records.valueStream()
                        .map(entry -> entry.path("client").asString() + " "
                                + entry.path("tool_name").asString() + " "
                                + entry.path("allowed").asBoolean()))
                .containsExactly(
                        "test-client/1.2 say true", "test-client/1.2 bash false", "test-client/1.2 nothing false");
    }

    @Test
    void the_session_of_another_agent_does_not_exist() {
        McpTestClient begun = McpTestClient.of(agent, Era.LEGACY);

        for (Client stranger :
                List.of(other, server.as(ACME, Role.AGENT), server.admin().with("X-Agent-ID", "agent_1"))) {
            Reply reply = McpTestClient.inSession(stranger, begun.session()).send("tools/list", "{}");
            assertThat(reply.status()).as(reply.toString()).isEqualTo(404);
        }
        assertThat(other.with("Mcp-Session-Id", begun.session()).delete("/mcp").status())
                .isEqualTo(404);
        assertThat(begun.tools()).contains("say");
        assertThat(agent.with("Mcp-Session-Id", begun.session()).delete("/mcp").status())
                .isEqualTo(204);
        assertThat(begun.send("tools/list", "{}").status()).isEqualTo(404);
    }

    @Test
    void a_session_continues_at_another_instance(@TempDir Path second) throws Exception {
        String key = server.key(FIRST, Role.AGENT, RunningServer.AGENT);
        McpTestClient begun = McpTestClient.of(server.withKey(key), Era.LEGACY);
        try (ToolgateServer another = server.another(second, Map.of())) {
            Client there = new Client(another.url()).with("Authorization", "Bearer " + key);
            McpTestClient resumed = McpTestClient.inSession(there, begun.session());
            assertThat(result(resumed.send("tools/list", "{}")).has("tools")).isTrue();
            assertThat(there.with("Mcp-Session-Id", begun.session())
                            .delete("/mcp")
                            .status())
                    .isEqualTo(204);
            assertThat(resumed.send("tools/list", "{}").status()).isEqualTo(404);
        }
    }

    @Test
    void two_calls_at_once_under_one_request_id_run_once() throws Exception {
        String params = """
                {"name": "say", "arguments": {"text": "only once"}, "_meta": {"toolgate/request-id": "mcp-once"}}""";
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            McpTestClient client = McpTestClient.of(agent, Era.MODERN);
            Future<Reply> one = threads.submit(() -> client.send("tools/call", params));
            Future<Reply> two = threads.submit(() -> client.send("tools/call", params));
            assertThat(McpTestClient.text(one.get())).isEqualTo("said only once");
            assertThat(McpTestClient.text(two.get())).isEqualTo("said only once");
        }
        assertThat(SAID).containsEntry("only once", 1);
    }

    @Test
    void callers_that_may_not_act_for_the_agent_are_refused_and_recorded() {
        McpTestClient orchestrator =
                McpTestClient.of(server.as(FIRST, Role.ORCHESTRATOR).with("X-Agent-ID", "agent_1"), Era.MODERN);
        assertThat(orchestrator.tools()).contains("say");
        assertThat(McpTestClient.text(orchestrator.call("say", "{\"text\": \"for it\"}")))
                .isEqualTo("said for it");
        assertThat(McpTestClient.of(server.as(FIRST, Role.ORCHESTRATOR), Era.MODERN)
                        .send("tools/list", "{}")
                        .text())
                .contains("X-Agent-ID");

        for (Client wrong : List.of(other, server.as(FIRST, Role.AUDITOR))) {
            McpTestClient client = McpTestClient.of(
                    wrong.with("X-Agent-ID", "agent_1").with("X-Correlation-ID", "impersonation"), Era.MODERN);
            assertThat(client.send("tools/list", "{}").text()).contains("may not act for agent 'agent_1'");
            assertThat(client.call("say", "{\"text\": \"stolen\"}").text()).contains("may not act for agent 'agent_1'");
            assertThat(client.call("nothing", "{}").text()).contains("may not act for agent 'agent_1'");
        }
        assertThat(SAID).doesNotContainKey("stolen");
        assertThat(server.admin()
                        .get("/api/v1/audit/logs?correlation_id=impersonation")
                        .json()
                        .size())
                .isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void an_artifact_is_read_by_its_agent_and_by_no_other(Era era) {
        McpTestClient client = McpTestClient.of(agent, era);
        JsonNode link = result(client.call(NOTE, "{\"doing\": \"keep\"}"))
                .path("content")
                .get(1);
        assertThat(link.path("type").asString()).isEqualTo("resource_link");
        String uri = link.path("uri").asString();

        JsonNode contents = result(client.send("resources/read", "{\"uri\": \"" + uri + "\"}"))
                .path("contents")
                .get(0);
        assertThat(contents.path("text").asString()).isEqualTo("the whole note");
        assertThat(contents.path("mimeType").asString()).isEqualTo("text/plain");

        McpTestClient stranger = McpTestClient.of(other.with("X-Correlation-ID", "stranger-" + era), era);
        String absent = uri.substring(0, uri.length() - 4) + "0000";
        Reply hidden = stranger.send("resources/read", "{\"uri\": \"" + uri + "\"}");
        McpTestClient again = McpTestClient.of(other, era);
        Reply nothing = again.send("resources/read", "{\"uri\": \"" + absent + "\"}");
        assertThat(hidden.text()).contains("There is no resource");
        assertThat(hidden.text().replace(uri, absent)).isEqualTo(nothing.text());
        assertThat(server.admin()
                        .get("/api/v1/audit/logs?correlation_id=stranger-" + era)
                        .text())
                .contains("The artifact belongs to another agent.")
                .contains("test-client/1.2");
    }

    @Test
    void wrong_arguments_and_failures_are_results_that_say_what_to_do() {
        JsonNode wrong = result(McpTestClient.of(agent, Era.MODERN).call("say", "{\"tex\": 1}"));

        assertThat(wrong.path("isError").asBoolean()).isTrue();
        assertThat(wrong.path("content").get(0).path("text").asString())
                .contains("text")
                .contains("Correct the named field");
        assertThat(wrong.path("_meta").path("toolgate/error").path("code").asString())
                .isEqualTo("INVALID_REQUEST");
    }

    @Test
    void a_tool_is_listed_even_if_its_condition_refuses_a_call() {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_4\"}");
        Reply granted = server.admin()
                .put("/api/v1/permissions/agent_4/say", "{\"allowed\": true, \"condition\": \"params.text == 'yes'\"}");
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
        McpTestClient client =
                McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, new AgentId("agent_4"))), Era.MODERN);

        assertThat(client.tools()).containsExactly("say");
        assertThat(McpTestClient.text(client.call("say", "{\"text\": \"yes\"}")))
                .isEqualTo("said yes");
        JsonNode refused = result(client.call("say", "{\"text\": \"no\"}"));
        assertThat(refused.path("isError").asBoolean()).isTrue();
        assertThat(refused.path("content").get(0).path("text").asString()).contains("its condition is not met");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]",
                "\"text\"",
                "{\"id\": 1}",
                "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"tools/list\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}"
            })
    void malformed_messages_get_one_clear_error(String body) {
        Reply reply =
                agent.with("Accept", "application/json, text/event-stream").post("/mcp", body);

        assertThat(reply.status()).as(reply.toString()).isEqualTo(400);
        assertThat(reply.json().path("jsonrpc").asString()).isEqualTo("2.0");
        assertThat(reply.json().path("error").path("message").asString()).isNotBlank();
    }

    @Test
    void too_large_unauthenticated_or_cross_origin_requests_are_refused() {
        Client accepting = agent.with("Accept", "application/json, text/event-stream");
        Reply large = accepting.post("/mcp", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"" + "x".repeat(20 << 20));
        assertThat(large.status()).isEqualTo(413);
        assertThat(large.json().path("error").path("message").asString()).contains("larger");
        Reply unknown = server.anonymous().post("/mcp", "{}");
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(unknown.json().path("error").path("data").path("code").asString())
                .isEqualTo("UNAUTHORIZED");
        assertThat(accepting
                        .with("Origin", "https://elsewhere.example")
                        .post("/mcp", "{}")
                        .status())
                .isEqualTo(403);
        assertThat(agent.send("PUT", "/mcp", "{}").status()).isEqualTo(405);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void output_is_sent_as_progress_if_the_call_has_a_token(Era era) {
        Reply reply = McpTestClient.of(agent, era).send("tools/call", """
                {"name": "notes__take", "arguments": {"doing": "print"}, "_meta": {"progressToken": "p1"}}""");

        List<JsonNode> messages = McpTestClient.messages(reply.text());
        assertThat(messages).hasSize(2);
        assertThat(messages.getFirst().path("method").asString()).isEqualTo("notifications/progress");
        assertThat(messages.getFirst().path("params").path("progressToken").asString())
                .isEqualTo("p1");
        assertThat(messages.getFirst().path("params").path("message").asString())
                .isEqualTo("working on print");
        assertThat(messages.getLast().path("result").path("structuredContent").has("text"))
                .isTrue();
    }

    @Test
    void a_call_is_cancelled_by_a_notification() throws Exception {
        McpTestClient client = McpTestClient.of(agent, Era.LEGACY);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Reply> running = threads.submit(() -> client.call(NOTE, "{\"doing\": \"wait\"}"));
            NOTES.begun.await();

            Reply told = client.http("", "").post("/mcp", """
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}""");

            assertThat(told.status()).isEqualTo(202);
            NOTES.stopped.await();
            assertThat(McpTestClient.messages(running.get().text())).isEmpty();
        }
    }

    @Test
    void a_listening_client_is_notified_of_a_new_grant_of_its_agent() throws Exception {
        McpTestClient client = McpTestClient.of(other, Era.LEGACY);
        List<String> before = client.tools();
        try (LiveStream stream = LiveStream.open(client.http("", ""), "/mcp")) {
            assertThat(stream.status()).isEqualTo(200);
            stream.readUntil(":");
            grant("agent_3", "notes%2Ftake"); // not its own agent
            grant("agent_2", "say");

            assertThat(stream.readUntil("list_changed")).containsOnlyOnce("event: message");
        } finally {
            server.admin().delete("/api/v1/permissions/agent_3/notes%2Ftake");
        }
        assertThat(client.tools()).hasSize(before.size() + 1);
    }

    @Test
    void the_door_can_be_switched_off(@TempDir Path second) throws Exception {
        try (ToolgateServer another = server.another(second, Map.of("dialect.mcp.enabled", "false"))) {
            Client there =
                    new Client(another.url()).with("Authorization", "Bearer " + server.key(FIRST, Role.ADMIN, null));
            assertThat(there.post("/mcp", "{}").status()).isEqualTo(404);
        }
    }

    @Test
    void a_stream_of_a_revoked_key_ends() throws Exception {
        String key = server.key(FIRST, Role.AGENT, RunningServer.AGENT);
        McpTestClient client = McpTestClient.of(server.withKey(key), Era.LEGACY);
        try (LiveStream stream = LiveStream.open(client.http("", ""), "/mcp")) {
            stream.readUntil(":");
            String id = server.withKey(key)
                    .get("/api/v1/whoami")
                    .json()
                    .path("name")
                    .asString();
            Reply revoked = server.admin().delete("/api/v1/keys/" + id.substring(id.indexOf(':') + 1));
            assertThat(revoked.status()).as(revoked.toString()).isLessThan(300);

            stream.readToEnd();
        }
        await().until(() -> client.send("tools/list", "{}").status() == 401);
    }
}
