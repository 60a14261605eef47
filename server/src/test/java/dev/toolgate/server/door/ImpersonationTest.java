package dev.toolgate.server.door;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.chat.ChatClient;
import dev.toolgate.server.chat.ChatEnvelope;
import dev.toolgate.server.chat.ChatMessage;
import dev.toolgate.server.operate.SayTool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Attempts to act as another agent, at every door: the victim's tool must not run, and the attempt is recorded. */
class ImpersonationTest {
    private static final AtomicInteger RUNS = new AtomicInteger();

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static String attackersKey;
    private static Client attacker;
    private static Client victim;

    private int recordsBefore;
    private int runsBefore;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, new SayTool(text -> {
            RUNS.incrementAndGet();
            return Output.text("said " + text);
        }));
        for (String agent : List.of("attacker", "victim")) {
            server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + agent + "\"}");
            server.admin().put("/api/v1/permissions/" + agent + "/say", "{\"allowed\": true}");
        }
        attackersKey = server.key(FIRST, Role.AGENT, new AgentId("attacker"));
        attacker = server.withKey(attackersKey);
        victim = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("victim")));
        PolicySession.of("of-victim", "victim", "{\"name\": \"Say.Something\"}")
                .startedBy(server.as(FIRST, Role.ORCHESTRATOR));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void count() {
        recordsBefore = records().size();
        runsBefore = RUNS.get();
    }

    @Test
    void execute_as_another_agent_is_refused_and_recorded() {
        Reply refused = attacker.post("/api/v1/tools/execute", execute("taken-1"));

        assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        assertThat(refused.json().path("logged").asBoolean()).isTrue();
        assertThat(refused.text()).doesNotContain("of-victim");
        recordedAs("say", attacker);
    }

    @Test
    void execute_tool_as_another_agent_is_refused_and_recorded() {
        Reply refused = attacker.with("X-Agent-ID", "victim")
                .post("/execute-tool", "{\"tool\": \"say\", \"args\": {\"text\": \"x\"}}");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        recordedAs("say", attacker);
    }

    @Test
    void invoke_in_an_agents_session_by_an_operator_is_refused_and_recorded() {
        Client operator = server.as(FIRST, Role.OPERATOR);
        Reply refused = operator.post("/tools/say/invoke", invocation("taken-2"));

        assertThat(refused.json().path("status").asString())
                .as(refused.toString())
                .isEqualTo("denied");
        recordedAs("say", operator);
    }

    @Test
    void a_conversation_as_another_agent_is_refused_and_recorded() {
        try (ChatClient chat = ChatClient.connect(server.url(), attackersKey)) {
            chat.say(ChatMessage.of("talk", "ollama", "m", "Hello").with("agent_id", "victim"));
            ChatEnvelope refused = chat.await("chat:error");

            assertThat(refused.text("code")).isEqualTo("PERMISSION_DENIED");
            assertThat(refused.text("message")).contains("may not act for agent 'victim'");
        }
        recordedAs("chat", attacker);
        assertThat(records().get(0).path("conversation_id").asString()).isEqualTo("talk");
    }

    @Test
    void a_user_who_chats_as_a_foreign_agent_is_recorded() {
        String user = server.userKey(FIRST, new AgentId("attacker"));
        try (ChatClient chat = ChatClient.connect(server.url(), user)) {
            chat.say(ChatMessage.of("talk", "ollama", "m", "Hello").with("agent_id", "victim"));

            assertThat(chat.await("chat:error").text("code")).isEqualTo("PERMISSION_DENIED");
        }
        recordedAs("chat", server.withKey(user));
    }

    @Test
    void a_refused_attempt_does_not_use_up_the_request_id_of_the_victim() {
        attacker.post("/api/v1/tools/execute", execute("own-1"));
        server.as(FIRST, Role.OPERATOR).post("/tools/say/invoke", invocation("own-2"));
        assertThat(server.admin().get("/api/v1/calls/own-1?agent_id=victim").status())
                .isEqualTo(404);
        assertThat(server.admin().get("/api/v1/calls/own-2?agent_id=victim").status())
                .isEqualTo(404);

        assertThat(victim.post("/api/v1/tools/execute", execute("own-1")).text())
                .contains("said x");
        assertThat(victim.post("/tools/say/invoke", invocation("own-2")).text()).contains("said x");
        assertThat(RUNS).hasValue(runsBefore + 2);
    }

    @Test
    void validate_as_another_agent_reveals_and_records_nothing() {
        Reply refused = attacker.post("/api/v1/tools/validate", "{\"agent_id\": \"victim\", \"tool_name\": \"say\"}");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(403);
        assertThat(refused.text()).doesNotContain("allowed_tools");
        assertThat(records()).hasSize(recordsBefore);
    }

    private void recordedAs(String tool, Client by) {
        assertThat(RUNS).hasValue(runsBefore);
        assertThat(records()).hasSize(recordsBefore + 1);
        JsonNode newest = records().get(0);
        assertThat(newest.path("tool_name").asString()).isEqualTo(tool);
        assertThat(newest.path("agent_id").asString()).isEqualTo("victim");
        assertThat(newest.path("principal").asString())
                .isEqualTo(by.get("/api/v1/whoami").json().path("name").asString());
        assertThat(newest.path("error_code").asString()).isEqualTo("PERMISSION_DENIED");
        assertThat(newest.path("denial_reason").asString()).contains("may not act for agent 'victim'");
    }

    private static List<JsonNode> records() {
        return server.admin()
                .get("/api/v1/audit/logs?agent_id=victim")
                .json()
                .valueStream()
                .toList();
    }

    private static String execute(String request) {
        return """
                {"request_id": "%s", "agent_id": "victim", "tool_name": "say", "operation": "speak",
                 "parameters": {"text": "x"}}""".formatted(request);
    }

    private static String invocation(String request) {
        return """
                {"sessionId": "of-victim", "taskId": "t", "stepId": "s", "toolName": "say", "requestId": "%s",
                 "arguments": {"text": "x"}}""".formatted(request);
    }
}
