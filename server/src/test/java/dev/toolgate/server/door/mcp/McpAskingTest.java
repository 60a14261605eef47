package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static dev.toolgate.server.door.mcp.McpTestClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.ClientSettings;
import dev.toolgate.mcp.client.InputAnswer;
import dev.toolgate.mcp.client.McpClient;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.http.SocketHttpExchanger;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.wiring.ToolgateServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tools that ask the client for input during a call. */
@Timeout(120)
class McpAskingTest {
    private static final String FORMS = "{\"elicitation\": {\"form\": {}}}";
    private static final String GREET = "art__greet";
    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static String key;
    private static Client painter;
    private static Client other;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(
                home,
                Map.of(),
                new ServerSources.Greet(),
                new ServerSources.AskingPrompts(),
                new ServerSources.AskingResources());
        key = server.key(FIRST, Role.AGENT, new AgentId("painter"));
        painter = server.withKey(key);
        other = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("other")));
        for (String name : new String[] {"painter", "other"}) {
            server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}");
            server.admin().put("/api/v1/permissions/" + name + "/art%2Fgreet", "{\"allowed\": true}");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void the_user_of_the_client_answers_the_question_of_the_tool(Era era) throws Exception {
        ClientSettings settings = ClientSettings.of(new Implementation("asked", "1", null))
                .withKnownEra(era)
                .withInput(
                        new ClientCapabilities((ObjectNode) Json.MAPPER.readTree(FORMS)),
                        request -> new InputAnswer.Given((ObjectNode) Json.MAPPER.readTree(
                                String.valueOf(request.params()).contains("Who are you?") ? ANSWER : "{}")));
        HttpExchanger exchanger =
                new SocketHttpExchanger(SocketConnector.ANY, SSLContext.getDefault(), Duration.ofSeconds(5));
        try (exchanger;
                McpClient client = McpClient.connect(
                        new HttpTransport(
                                HttpEndpoint.of(URI.create(server.url() + "/mcp"), EndpointCheck.LOOPBACK_WITHOUT_TLS),
                                exchanger,
                                ServerAuthorization.fixed(Map.of("Authorization", "Bearer " + key)),
                                TransportLimits.DEFAULT),
                        settings)) {
            ObjectNode greeted = client.callTool(GREET, Json.MAPPER.createObjectNode(), CallOptions.DEFAULT);

            assertThat(greeted.path("content").path(0).path("text").asString()).isEqualTo("answered " + ANSWER);
        }
    }

    @ParameterizedTest
    @EnumSource(McpTestClient.Era.class)
    void a_client_that_declares_no_forms_is_not_asked(McpTestClient.Era era) {
        assertThat(text(McpTestClient.of(painter, era).call(GREET, "{}"))).isEqualTo("nobody answers");
    }

    @Test
    void an_answer_is_accepted_once() {
        McpTestClient client = McpTestClient.modern(painter, FORMS);
        String state = asked(client);

        assertThat(text(answer(client, "{}", state))).isEqualTo("answered " + ANSWER);
        assertThat(answer(client, "{}", state).text()).contains("no longer waits");
    }

    @Test
    void an_answer_belongs_to_the_exact_call() {
        McpTestClient client = McpTestClient.modern(painter, FORMS);
        String state = asked(client);

        assertThat(answer(client, "{\"other\": 1}", state).text()).contains("no longer waits");
        assertThat(text(answer(client, "{}", state))).isEqualTo("answered " + ANSWER);
    }

    @Test
    void another_agent_cannot_answer_for_the_caller() {
        McpTestClient client = McpTestClient.modern(painter, FORMS);
        String state = asked(client);

        Reply stolen = answer(McpTestClient.modern(other, FORMS), "{}", state);
        assertThat(stolen.text()).contains("no longer waits").doesNotContain("Ada");
        assertThat(text(answer(client, "{}", state))).isEqualTo("answered " + ANSWER);
    }

    @Test
    void a_forged_request_state_starts_nothing() {
        Reply reply = answer(McpTestClient.modern(painter, FORMS), "{}", "call:made-up");

        assertThat(reply.text()).contains("no longer waits");
    }

    @ParameterizedTest
    @CsvSource({"tools/call,name,art__greet", "prompts/get,name,art__praise", "resources/read,uri,art://1"})
    void a_call_that_took_the_last_use_of_its_grant_gets_its_answer(String method, String field, String asked) {
        AgentId agent = new AgentId("once-" + method.substring(0, method.indexOf('/')));
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + agent + "\"}");
        for (String tool : new String[] {"greet", "prompts", "resources"}) {
            server.admin()
                    .put("/api/v1/permissions/" + agent + "/art%2F" + tool, "{\"allowed\": true, \"max_uses\": 1}");
        }
        McpTestClient client = McpTestClient.modern(server.withKey(server.key(FIRST, Role.AGENT, agent)), FORMS);
        String params = "\"" + field + "\": \"" + asked + "\"";
        JsonNode question = result(client.send(method, "{" + params + "}"));
        assertThat(question.path("resultType").asString()).isEqualTo("input_required");

        Reply answered = client.send(
                method,
                "{" + params + ", \"requestState\": " + question.path("requestState")
                        + ", \"inputResponses\": {\"who\": " + ANSWER + "}}");

        assertThat(result(answered).toString()).contains("answered", "Ada");
        assertThat(client.send(method, "{" + params + "}").text()).contains("\"error\"");
    }

    @ParameterizedTest
    @CsvSource({"prompts/get,name,art__praise", "resources/read,uri,art://1"})
    void a_forged_state_finds_nothing_behind_a_missing_grant(String method, String field, String asked) {
        McpTestClient client = McpTestClient.modern(other, FORMS);
        String params = "\"" + field + "\": \"" + asked + "\"";

        Reply forged = client.send(method, "{" + params + ", \"requestState\": \"call:made-up\"}");

        JsonNode unknown =
                McpTestClient.response(client.send(method, "{" + params + "}").text());
        assertThat(McpTestClient.response(forged.text()).path("error")).isEqualTo(unknown.path("error"));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 60_000})
    void an_answer_that_arrives_at_another_instance_reaches_the_call(int length, @TempDir Path second)
            throws Exception {
        try (ToolgateServer another = server.another(second, Map.of(), new ServerSources.Greet())) {
            McpTestClient here = legacyWithForms(painter);
            McpTestClient there = McpTestClient.inSession(at(another, key), here.session());
            McpTestClient mallory = legacyWithForms(other);
            McpTestClient malloryThere = McpTestClient.inSession(
                    at(another, server.key(FIRST, Role.AGENT, new AgentId("other"))), mallory.session());
            String name = "A".repeat(length);
            try (LiveStream call = LiveStream.post(
                    here.http("tools/call", GREET),
                    "/mcp",
                    here.body("tools/call", "{\"name\": \"" + GREET + "\", \"arguments\": {}}"))) {
                String asked = call.readUntil("elicitation/create") + call.readUntil("\n\n");
                String id = McpTestClient.messages(asked).getLast().path("id").asString();

                assertThat(answerOverHttp(mallory, id, "Mallory").status()).isEqualTo(400);
                assertThat(answerOverHttp(malloryThere, id, "Mallory").status()).isBetween(400, 404);
                assertThat(answerOverHttp(there, "q000000000000-1", "Nobody").status())
                        .isEqualTo(400);
                Reply taken = answerOverHttp(there, id, name);

                assertThat(taken.status()).as(taken.toString()).isEqualTo(202);
                assertThat(call.readUntil("answered") + call.readUntil("\n\n"))
                        .contains(name)
                        .doesNotContain("Mallory");
                assertThat(answerOverHttp(there, id, "Twice").status()).isEqualTo(400);
            }
        }
    }

    private static Client at(ToolgateServer instance, String agentKey) {
        return new Client(instance.url()).with("Authorization", "Bearer " + agentKey);
    }

    private static McpTestClient legacyWithForms(Client http) {
        Reply begun = http.with("Accept", "application/json, text/event-stream").post("/mcp", """
                {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
                 "capabilities": %s, "clientInfo": {"name": "test-client", "version": "1.2"}}}""".formatted(FORMS));
        return McpTestClient.inSession(http, begun.header("Mcp-Session-Id").orElseThrow());
    }

    private static Reply answerOverHttp(McpTestClient client, String id, String name) {
        return client.http("", "")
                .post(
                        "/mcp",
                        "{\"jsonrpc\": \"2.0\", \"id\": \"" + id
                                + "\", \"result\": {\"action\": \"accept\", \"content\": {\"name\": \"" + name
                                + "\"}}}");
    }

    private static String asked(McpTestClient client) {
        JsonNode asked = result(client.call(GREET, "{}"));
        assertThat(asked.path("resultType").asString()).isEqualTo("input_required");
        assertThat(asked.path("inputRequests").path("who").path("method").asString())
                .isEqualTo("elicitation/create");
        return asked.path("requestState").asString();
    }

    private static Reply answer(McpTestClient client, String arguments, String state) {
        return client.send(
                "tools/call",
                "{\"name\": \"" + GREET + "\", \"arguments\": " + arguments + ", \"requestState\": \"" + state
                        + "\", \"inputResponses\": {\"who\": " + ANSWER + "}}");
    }
}
