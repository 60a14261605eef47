package dev.toolgate.server.door.hook;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The hook of Claude Code, message by message; the program itself is tested in {@code ClaudeCodeTrialTest}. */
@Timeout(180)
class ClaudeCodeHookTest {
    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of("dialect.mcp.hold_for", "1s"));
        ok(server.admin().put("/api/v1/tools/external/claude-code:Bash", """
                {"description": "Runs a command.", "danger": "safe", "input_schema": {"type": "object"}}"""));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_call_without_a_grant_is_denied_and_recorded() {
        Client agent = agent("ungranted");

        assertThat(ask(agent, "PreToolUse", "toolu_1", "rm -rf /")).startsWith("deny Toolgate denies this call.");

        assertThat(records("ungranted")).containsExactly("claude-code:Bash REFUSED client=claude-code");
    }

    @Test
    void an_allowed_call_has_a_permit_and_its_outcome_is_reported() {
        Client agent = agent("allowed", "{\"allowed\": true}");

        assertThat(ask(agent, "PreToolUse", "toolu_2", "ls")).startsWith("allow ");
        assertThat(records("allowed")).isEmpty();
        assertThat(open("tool_call_id", "toolu_2")).isEqualTo(1);
        ok(after(agent, "toolu_2", "ls", null));
        assertThat(ask(agent, "PreToolUse", "toolu_3", "exit 3")).startsWith("allow ");
        ok(after(agent, "toolu_3", "exit 3", "Exit code 3"));

        assertThat(records("allowed"))
                .containsExactly(
                        "claude-code:Bash COMPLETED client=claude-code", "claude-code:Bash FAILED client=claude-code");
        assertThat(open("agent_id", "allowed")).isZero();
    }

    @Test
    void a_result_without_a_permit_is_reported_as_unrecorded() {
        Client agent = agent("careless", "{\"allowed\": true}");

        assertThat(after(agent, "toolu_4", "ls", null)
                        .json()
                        .path("systemMessage")
                        .asString())
                .contains("no open permit");
        assertThat(ask(agent, "PreToolUse", "toolu_5", "ls")).startsWith("allow ");
        Client other = agent("neighbour", "{\"allowed\": true}");
        assertThat(after(other, "toolu_5", "ls", null).text()).contains("no open permit");

        assertThat(records("careless")).isEmpty();
        assertThat(records("neighbour")).isEmpty();
    }

    @Test
    void a_held_call_is_denied_until_it_is_approved_and_then_allowed_once() throws Exception {
        Client agent = agent("careful", "{\"allowed\": true, \"requires_approval\": true}");

        assertThat(ask(agent, "PreToolUse", "toolu_6", "deploy"))
                .startsWith("deny ")
                .contains("a person must approve it first", "Make exactly the same call again");
        assertThat(ask(agent, "PreToolUse", "toolu_7", "deploy")).contains("a person must approve it first");
        List<String> questions = questions("careful");
        assertThat(questions).hasSize(1);
        ok(server.as(FIRST, Role.OPERATOR).post("/api/v1/approvals/" + questions.getFirst(), "{\"approved\": true}"));

        List<Future<String>> asked = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                String id = "toolu_8" + i;
                asked.add(callers.submit(() -> ask(agent, "PreToolUse", id, "deploy")));
            }
        }
        List<String> allowed = new ArrayList<>();
        for (Future<String> each : asked) {
            if (each.get().startsWith("allow ")) {
                allowed.add(each.get());
            }
        }

        assertThat(allowed).as("one approval, one permit").hasSize(1);
        assertThat(open("agent_id", "careful")).isEqualTo(1);
    }

    @Test
    void a_refused_call_is_denied_with_the_reason() {
        Client agent = agent("refused", "{\"allowed\": true, \"requires_approval\": true}");
        assertThat(ask(agent, "PreToolUse", "toolu_9", "deploy")).contains("a person must approve it first");

        ok(server.as(FIRST, Role.OPERATOR)
                .post(
                        "/api/v1/approvals/" + questions("refused").getFirst(),
                        "{\"approved\": false, \"reason\": \"not today\"}"));

        await().until(() -> ask(agent, "PreToolUse", "toolu_10", "deploy").contains("not today"));
    }

    @Test
    void concurrent_equal_calls_get_a_permit_each() throws Exception {
        Client agent = agent("parallel", "{\"allowed\": true}");
        List<Future<String>> asked = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 6; i++) {
                String id = "toolu_p" + i;
                asked.add(callers.submit(() -> ask(agent, "PreToolUse", id, "ls")));
            }
        }
        int allowed = 0;
        for (Future<String> each : asked) {
            allowed += each.get().startsWith("allow ") ? 1 : 0;
        }

        assertThat(allowed).isPositive();
        assertThat(open("agent_id", "parallel")).isEqualTo(allowed);
    }

    @Test
    void an_unregistered_tool_is_denied() {
        Client agent = agent("early");
        ok(server.admin().put("/api/v1/permissions/early/claude-code:Write", "{\"allowed\": true}"));

        assertThat(decision(agent.post(
                        "/hooks/claude-code",
                        event("PreToolUse", "toolu_11", "x")
                                .put("tool_name", "Write")
                                .toString())))
                .startsWith("deny ");
        assertThat(decision(agent.post(
                        "/hooks/claude-code",
                        event("PreToolUse", "toolu_12", "x")
                                .put("tool_name", "../bash")
                                .toString())))
                .startsWith("deny ");
    }

    @Test
    void an_agent_cannot_ask_or_report_for_another() {
        Client agent = agent("victim", "{\"allowed\": true}");
        assertThat(ask(agent, "PreToolUse", "toolu_13", "ls")).startsWith("allow ");
        Client mallory = agent("mallory", "{\"allowed\": true}").with("X-Agent-ID", "victim");

        assertThat(ask(mallory, "PreToolUse", "toolu_14", "ls")).contains("may not act for agent 'victim'");
        assertThat(after(mallory, "toolu_13", "ls", "forged").status()).isEqualTo(403);
        assertThat(ask(server.admin(), "PreToolUse", "toolu_15", "ls")).startsWith("deny ");
        assertThat(server.anonymous()
                        .post(
                                "/hooks/claude-code",
                                event("PreToolUse", "toolu_16", "ls").toString())
                        .status())
                .isEqualTo(401);

        assertThat(open("tool_call_id", "toolu_13")).isEqualTo(1);
    }

    @Test
    void an_unknown_event_is_refused() {
        Client agent = agent("odd", "{\"allowed\": true}");

        assertThat(agent.post(
                                "/hooks/claude-code",
                                event("Stop", "toolu_17", "ls").toString())
                        .status())
                .isEqualTo(400);
        assertThat(agent.post("/hooks/claude-code", "{}").status()).isEqualTo(400);
    }

    /** How many open permits have this value in this column. */
    private static int open(String column, String value) {
        return server.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT count(*) FROM tool_intents WHERE permit_until IS NOT NULL AND " + column + " = :value")
                .bind("value", value)
                .mapTo(Integer.class)
                .one());
    }

    private static Client agent(String name) {
        ok(server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}"));
        return server.withKey(server.key(FIRST, Role.AGENT, new AgentId(name)));
    }

    private static Client agent(String name, String terms) {
        Client agent = agent(name);
        ok(server.admin().put("/api/v1/permissions/" + name + "/claude-code:Bash", terms));
        return agent;
    }

    private static ObjectNode event(String event, String id, String command) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("session_id", "d888486f-033a-400b-b9ae-10add7c595da")
                .put("cwd", "/home/dev/project")
                .put("permission_mode", "default")
                .put("hook_event_name", event)
                .put("tool_name", "Bash")
                .put("tool_use_id", id);
        body.putObject("tool_input").put("command", command);
        return body;
    }

    private static String ask(Client client, String event, String id, String command) {
        return decision(
                client.post("/hooks/claude-code", event(event, id, command).toString()));
    }

    private static String decision(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        JsonNode said = reply.json().path("hookSpecificOutput");
        assertThat(said.path("hookEventName").asString()).isEqualTo("PreToolUse");
        return said.path("permissionDecision").asString() + " "
                + said.path("permissionDecisionReason").asString();
    }

    private static Reply after(Client client, String id, String command, @Nullable String error) {
        ObjectNode body = event(error == null ? "PostToolUse" : "PostToolUseFailure", id, command);
        body.put("duration_ms", 12);
        if (error == null) {
            body.putObject("tool_response").put("stdout", "done").put("stderr", "");
        } else {
            body.put("error", error).put("is_interrupt", false);
        }
        return client.post("/hooks/claude-code", body.toString());
    }

    private static List<String> questions(String agent) {
        return server.as(FIRST, Role.OPERATOR)
                .get("/api/v1/approvals?limit=500&state=pending")
                .json()
                .valueStream()
                .filter(entry -> entry.path("agent_id").asString().equals(agent))
                .map(entry -> entry.path("approval_id").asString())
                .toList();
    }

    private static List<String> records(String agent) {
        return server.admin()
                .get("/api/v1/audit/logs?agent_id=" + agent + "&kind=call&order=asc&limit=500")
                .json()
                .valueStream()
                .map(entry -> entry.path("tool_name").asString() + " "
                        + entry.path("status").asString() + " client="
                        + entry.path("client").asString())
                .toList();
    }

    private static void ok(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
    }
}
