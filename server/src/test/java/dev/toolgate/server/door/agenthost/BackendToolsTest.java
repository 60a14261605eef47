package dev.toolgate.server.door.agenthost;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.PolicySession;
import dev.toolgate.server.door.Seed;
import dev.toolgate.server.operate.SayTool;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Every documented request of the backend tool service, and errors. */
class BackendToolsTest {
    private static final AtomicInteger RUNS = new AtomicInteger();

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client agent;
    private static Client orchestrator;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, new SayTool(BackendToolsTest::say), new SlashTool());
        agent = server.as(FIRST, Role.AGENT);
        orchestrator = server.as(FIRST, Role.ORCHESTRATOR);
        for (String id : List.of("agent_1", "agent_2")) {
            server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + id + "\"}");
            for (String tool : List.of("say", "files%2Fopen")) {
                server.admin().put("/api/v1/permissions/" + id + "/" + tool, "{\"allowed\": true}");
            }
        }
        String may = "{\"name\": \"Say.Something\"}";
        PolicySession.of("sess_1", "agent_1", may).startedBy(orchestrator);
        PolicySession.of("sess_2", "agent_2", may).startedBy(orchestrator);
        PolicySession.of("sess_poor", "agent_1", "{\"name\": \"File.Read\"}").startedBy(orchestrator);
        PolicySession.of("sess_listed", "agent_1", "{\"name\": \"Say.Something\", \"allowedTools\": [\"other\"]}")
                .startedBy(orchestrator);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static Output say(String text) throws ToolFailure {
        RUNS.incrementAndGet();
        for (ErrorCode code : ErrorCode.values()) {
            if (code.name().equals(text)) {
                throw new ToolFailure(code, "As asked", Output.text("Half of it"));
            }
        }
        Output output = Output.text("said " + text);
        return text.equals("at length")
                ? output.withArtifacts(List.of(Artifact.of(
                        "tool_output", "text/plain", "long.txt", Content.of("long".getBytes(StandardCharsets.UTF_8)))))
                : output;
    }

    @ParameterizedTest
    @ValueSource(strings = {"say", "saySomething", "s%61y"})
    void a_tool_is_invoked_by_any_of_its_names(String name) {
        String plain = name.replace("%61", "a");
        Reply reply = agent.post("/tools/" + name + "/invoke", invocation("sess_1", plain, "hello"));

        JsonNode result = result(reply);
        assertThat(result.toString())
                .isEqualTo(("{'toolName':'" + plain + "','sessionId':'sess_1','taskId':'task_001','stepId':'step_004',"
                                + "'status':'succeeded','outputText':'said hello'}")
                        .replace('\'', '"'));
    }

    @Test
    void a_slash_in_a_tool_name_is_percent_encoded() {
        Reply reply = server.as(FIRST, Role.AGENT)
                .post("/tools/files%2Fopen/invoke", invocation("sess_1", "files/open", "x"));

        assertThat(result(reply).path("status").asString()).isEqualTo("succeeded");
    }

    @Test
    void artifacts_are_returned_as_uris() {
        JsonNode result = result(agent.post("/tools/say/invoke", invocation("sess_1", "say", "at length")));

        assertThat(result.path("artifactUris").size()).isOne();
        assertThat(result.path("artifactUris").get(0).asString()).contains("ws_456");
    }

    @Test
    void a_failing_tool_is_a_failed_result() {
        JsonNode result = result(agent.post("/tools/say/invoke", invocation("sess_1", "say", "TOOL_EXECUTION_FAILED")));

        assertThat(result.path("status").asString()).isEqualTo("failed");
        assertThat(result.path("error").path("code").asString()).isEqualTo("TOOL_EXECUTION_FAILED");
        assertThat(result.path("error").path("message").asString()).isEqualTo("As asked");
    }

    @ParameterizedTest
    @CsvSource({
        "sess_poor, say, CAPABILITY_DENIED, needs capability 'Say.Something'",
        "sess_listed, say, CAPABILITY_DENIED, not among the tools",
        "sess_1, bash, PERMISSION_DENIED, ask an operator for a grant",
        "sess_2, say, SESSION_NOT_FOUND, There is no session 'sess_2'",
        "absent, say, SESSION_NOT_FOUND, There is no session 'absent'"
    })
    void a_denied_call_says_what_is_needed_and_runs_nothing(String session, String tool, String code, String needed) {
        int before = RUNS.get();
        JsonNode result = result(agent.post("/tools/" + tool + "/invoke", invocation(session, tool, "x")));

        assertThat(result.path("status").asString()).isEqualTo("denied");
        assertThat(result.path("error").path("code").asString()).isEqualTo(code);
        assertThat(result.path("error").path("message").asString())
                .contains(needed)
                .endsWith(".");
        assertThat(result.has("outputText")).isFalse();
        assertThat(RUNS).hasValue(before);
    }

    @Test
    void an_orchestrator_acts_for_the_agent_of_the_session() {
        JsonNode result = result(orchestrator.post("/tools/say/invoke", invocation("sess_2", "say", "for another")));

        assertThat(result.path("status").asString()).isEqualTo("succeeded");
        assertThat(server.admin().get("/api/v1/audit/logs?agent_id=agent_2").text())
                .contains("\"say\"");
        JsonNode unknown = result(orchestrator.post("/tools/say/invoke", invocation("absent", "say", "x")));
        assertThat(unknown.path("error").path("code").asString()).isEqualTo("SESSION_NOT_FOUND");
    }

    @Test
    void an_operator_may_not_call_tools() {
        int before = RUNS.get();
        JsonNode result =
                result(server.as(FIRST, Role.OPERATOR).post("/tools/say/invoke", invocation("sess_1", "say", "x")));

        assertThat(result.path("error").path("code").asString()).isEqualTo("PERMISSION_DENIED");
        assertThat(RUNS).hasValue(before);
    }

    @Test
    void a_session_of_another_tenant_is_not_found() {
        Client theirs = server.withKey(server.key(ACME, Role.AGENT, new AgentId("agent_1")));
        for (Client client : List.of(theirs, server.as(ACME, Role.ORCHESTRATOR))) {
            String known = result(client.post("/tools/say/invoke", invocation("sess_1", "say", "x")))
                    .toString();
            String absent = result(client.post("/tools/say/invoke", invocation("absent", "say", "x")))
                    .toString();
            assertThat(known.replace("sess_1", "absent")).isEqualTo(absent);
        }
    }

    @Test
    void a_path_and_a_body_that_name_different_tools_are_a_conflict() {
        Reply reply = agent.post(
                "/tools/say/invoke",
                "{\"sessionId\": \"sess_1\", \"taskId\": \"t\", \"stepId\": \"s\", \"toolName\": \"bash\", \"arguments\": {}}");

        assertThat(reply.status()).as(reply.toString()).isEqualTo(409);
        assertThat(reply.message()).contains("different tools");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {                                                                                                     | JSON
            {"sessionId": "sess_1", "taskId": "t", "stepId": "s", "toolName": "say"}                              | arguments
            {"sessionId": "sess_1", "taskId": "", "stepId": "s", "toolName": "say", "arguments": {}}              | taskId
            {"sessionId": "", "taskId": "t", "stepId": "s", "toolName": "say", "arguments": {}}                   | session""")
    void an_invalid_request_is_an_error_not_a_result(String body, String named) {
        Reply reply = agent.post("/tools/say/invoke", body);

        assertThat(reply.status()).as(reply.toString()).isEqualTo(400);
        assertThat(reply.errorCode()).isEqualTo("INVALID_REQUEST");
        assertThat(reply.message()).contains(named);
        assertThat(server.anonymous().post("/tools/say/invoke", body).status()).isEqualTo(401);
    }

    @Test
    void an_unknown_field_is_ignored() {
        String body = invocation("sess_1", "say", "hello").replaceFirst("\\{", "{\"more\": 1, \"traceId\": \"abc\", ");

        assertThat(result(agent.post("/tools/say/invoke", body))
                        .path("outputText")
                        .asString())
                .isEqualTo("said hello");
    }

    @Test
    void the_same_invocation_again_gets_the_first_result_and_runs_once() {
        String body = invocation("sess_1", "say", "once").replaceFirst("\\{", "{\"requestId\": \"step-id-1\", ");
        JsonNode first = result(agent.post("/tools/say/invoke", body));
        int before = RUNS.get();

        assertThat(result(agent.post("/tools/say/invoke", body))).isEqualTo(first);
        assertThat(RUNS).hasValue(before);
    }

    @Test
    void a_session_lists_the_tools_that_may_be_used_in_it() {
        assertThat(listed(agent, "?sessionId=sess_1")).containsExactlyInAnyOrder("saySomething", "files/open");
        assertThat(listed(agent, "?sessionId=sess_poor")).isEmpty();
        assertThat(listed(agent, "?sessionId=sess_listed")).isEmpty();
        assertThat(listed(orchestrator, "?sessionId=sess_2")).containsExactlyInAnyOrder("saySomething", "files/open");
        assertThat(listed(agent, "")).contains("saySomething", "files/open");
    }

    @Test
    void tools_of_another_agents_session_are_not_listed() {
        for (String session : List.of("sess_2", "absent")) {
            Reply reply = agent.get("/tools?sessionId=" + session);

            assertThat(reply.status()).as(reply.toString()).isEqualTo(404);
            assertThat(reply.message()).isEqualTo("There is no session '" + session + "'");
        }
    }

    private static List<String> listed(Client client, String query) {
        return client.get("/tools" + query)
                .json()
                .path("tools")
                .valueStream()
                .map(tool -> tool.path("name").asString())
                .toList();
    }

    @Test
    void invalid_arguments_are_a_failed_result() {
        JsonNode result = result(agent.post(
                "/tools/say/invoke", invocation("sess_1", "say", "x").replace("\"text\": \"x\"", "\"text\": 5")));

        assertThat(result.path("status").asString()).isEqualTo("failed");
        assertThat(result.path("error").path("code").asString()).isEqualTo("INVALID_REQUEST");
    }

    static String invocation(String session, String tool, String text) {
        return """
                {"sessionId": "%s", "taskId": "task_001", "stepId": "step_004", "workspaceId": "ws_456",
                 "toolName": "%s", "arguments": {"text": "%s"}}""".formatted(session, tool, text);
    }

    private static JsonNode result(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        assertThat(Seed.complaints("backend-tools/tool-result.json", reply.json()))
                .as(reply.toString())
                .isEmpty();
        return reply.json();
    }
}
