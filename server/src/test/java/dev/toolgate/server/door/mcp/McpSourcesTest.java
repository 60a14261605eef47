package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Tools, prompts and resources of servers behind the gate, as clients of the gate see them. */
@Timeout(120)
class McpSourcesTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client painter;
    private static Client stranger;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(
                home,
                Map.of("dialect.mcp.hold_for", "1s"),
                new ServerSources.Draw(),
                new ServerSources.Prompts(),
                new ServerSources.Resources());
        painter = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("painter")));
        stranger = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("stranger")));
        for (String name : new String[] {"painter", "stranger"}) {
            server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}");
        }
        for (String tool : new String[] {"draw", "prompts", "resources"}) {
            Reply granted = server.admin().put("/api/v1/permissions/painter/art%2F" + tool, "{\"allowed\": true}");
            assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_tool_is_listed_as_upstream_but_never_as_harmless(Era era) {
        JsonNode tools =
                result(McpTestClient.of(painter, era).send("tools/list", "{}")).path("tools");

        assertThat(tools).hasSize(1);
        JsonNode draw = tools.get(0);
        assertThat(draw.path("name").asString()).isEqualTo("art__draw");
        assertThat(draw.path("title").asString()).isEqualTo("Draw a picture");
        assertThat(draw.path("_meta").toString()).isEqualTo("{\"example.org/icon\":\"brush\"}");
        assertThat(draw.has("execution")).isFalse();
        assertThat(draw.path("annotations").toString())
                .isEqualTo(
                        "{\"readOnlyHint\":false,\"idempotentHint\":true,\"openWorldHint\":true,\"destructiveHint\":true}");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void content_arrives_as_the_server_gave_it(Era era) {
        JsonNode drawn = result(McpTestClient.of(painter, era).call("art__draw", "{}"));

        String picture = Base64.getEncoder().encodeToString(ServerSources.PICTURE);
        JsonNode content = drawn.path("content");
        assertThat(content).hasSize(4);
        assertThat(content.get(0).toString())
                .isEqualTo("{\"type\":\"text\",\"text\":\"first\",\"annotations\":{\"audience\":[\"user\"]}}");
        assertThat(content.get(1).toString())
                .isEqualTo("{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"" + picture + "\"}");
        assertThat(content.get(2).path("resource").toString())
                .isEqualTo("{\"uri\":\"art://1\",\"mimeType\":\"image/png\",\"blob\":\"" + picture + "\"}");
        assertThat(content.get(3).path("uri").asString()).isEqualTo("art://2");
        assertThat(drawn.path("_meta").path("example.org/cost").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_repeated_call_has_the_same_content(Era era) {
        McpTestClient client = McpTestClient.of(painter, era);
        String params = "{\"name\": \"art__draw\", \"arguments\": {}, \"_meta\": {\"toolgate/request-id\": \"once-"
                + era + "\"}}";
        JsonNode first = result(client.send("tools/call", params));
        JsonNode again = result(client.send("tools/call", params));

        assertThat(again.path("content")).isEqualTo(first.path("content"));
        assertThat(again.path("_meta").path("example.org/cost").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void progress_is_passed_on_in_the_tools_own_numbers(Era era) {
        Reply reply = McpTestClient.of(painter, era)
                .send(
                        "tools/call",
                        "{\"name\": \"art__draw\", \"arguments\": {}, \"_meta\": {\"progressToken\": \"p\"}}");

        JsonNode progress = McpTestClient.messages(reply.text()).stream()
                .filter(message -> message.path("method").asString("").equals("notifications/progress"))
                .findFirst()
                .orElseThrow()
                .path("params");
        assertThat(progress.path("progress").decimalValue()).isEqualByComparingTo("0.5");
        assertThat(progress.path("total").decimalValue()).isEqualByComparingTo("1");
        assertThat(progress.path("message").asString()).isEqualTo("half of it");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void prompts_are_listed_and_read_under_the_grant_of_their_server(Era era) {
        McpTestClient client = McpTestClient.of(painter, era);

        JsonNode prompts = result(client.send("prompts/list", "{}")).path("prompts");
        assertThat(prompts).hasSize(1);
        assertThat(prompts.get(0).path("name").asString()).isEqualTo("art__praise");
        assertThat(prompts.get(0).path("description").asString()).isEqualTo("Praises");
        JsonNode praise = result(client.send("prompts/get", "{\"name\": \"art__praise\"}"));
        assertThat(praise.path("description").asString()).isEqualTo("for praise");
        assertThat(records("painter")).contains("art/prompts");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_prompt_that_is_not_granted_is_answered_like_an_unknown_one(Era era) {
        McpTestClient client = McpTestClient.of(stranger, era);

        assertThat(result(client.send("prompts/list", "{}")).path("prompts")).isEmpty();
        Reply denied = client.send("prompts/get", "{\"name\": \"art__praise\"}");
        Reply unknown = McpTestClient.of(stranger, era).send("prompts/get", "{\"name\": \"art__esiarp\"}");
        assertThat(denied.text()).contains("Unknown prompt: art__praise");
        assertThat(withoutId(denied).replace("praise", "esiarp")).isEqualTo(withoutId(unknown));
        assertThat(records("stranger")).contains("art__praise");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void resources_are_listed_and_read_under_the_grant_of_their_server(Era era) {
        McpTestClient client = McpTestClient.of(painter, era);

        assertThat(result(client.send("resources/list", "{}")).path("resources").toString())
                .isEqualTo("[{\"uri\":\"art://1\",\"name\":\"one\"}]");
        assertThat(result(client.send("resources/templates/list", "{}")).path("resourceTemplates"))
                .hasSize(1);
        for (String uri : new String[] {"art://1", "art://frames/7/front"}) {
            JsonNode read = result(client.send("resources/read", "{\"uri\": \"" + uri + "\"}"));
            assertThat(read.path("contents").get(0).path("uri").asString()).isEqualTo(uri);
        }
        assertThat(records("painter")).contains("art/resources");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_resource_that_is_not_granted_is_absent(Era era) {
        McpTestClient client = McpTestClient.of(stranger, era);

        assertThat(result(client.send("resources/list", "{}")).path("resources"))
                .isEmpty();
        assertThat(result(client.send("resources/templates/list", "{}")).path("resourceTemplates"))
                .isEmpty();
        Reply denied = client.send("resources/read", "{\"uri\": \"art://1\"}");
        Reply unknown = McpTestClient.of(stranger, era).send("resources/read", "{\"uri\": \"art://9\"}");
        assertThat(withoutId(denied).replace("art://1", "art://9")).isEqualTo(withoutId(unknown));
    }

    private static final String PROMPT = "{\"type\": \"ref/prompt\", \"name\": \"art__praise\"}";
    private static final String TEMPLATE = "{\"type\": \"ref/resource\", \"uri\": \"art://frames/{number}/front\"}";

    private static JsonNode completed(McpTestClient client, String ref) {
        return result(client.send(
                        "completion/complete",
                        "{\"ref\": " + ref + ", \"argument\": {\"name\": \"a\", \"value\": \"b\"}, \"context\": {},"
                                + " \"_meta\": {\"secret\": 1}, \"more\": 2}"))
                .path("completion")
                .path("values");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_completion_has_no_metadata_of_its_request(Era era) {
        McpTestClient client = McpTestClient.of(painter, era);

        for (String ref : new String[] {PROMPT, TEMPLATE}) {
            JsonNode sent = Json.MAPPER.readTree(completed(client, ref).path(0).asString());
            assertThat(sent.propertyNames()).containsExactlyInAnyOrder("ref", "argument", "context");
        }
        assertThat(completed(client, PROMPT).path(0).asString()).contains("\"name\":\"praise\"");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_completion_that_may_be_held_is_empty_and_asks_nobody(Era era) {
        String careful = "careful_" + era;
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + careful + "\"}");
        for (String tool : new String[] {"prompts", "resources"}) {
            server.admin()
                    .put(
                            "/api/v1/permissions/" + careful + "/art%2F" + tool,
                            "{\"allowed\": true, \"requires_approval\": true}");
        }
        McpTestClient client =
                McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, new AgentId(careful))), era);

        for (String ref : new String[] {PROMPT, TEMPLATE}) {
            assertThat(completed(client, ref)).isEmpty();
        }
        assertThat(server.admin().get("/api/v1/approvals?limit=500").json()).isEmpty();
        assertThat(records(careful)).isEqualTo("[]");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void the_tools_behind_prompts_and_resources_cannot_be_called(Era era) {
        McpTestClient client = McpTestClient.of(painter, era);

        assertThat(client.tools()).containsExactly("art__draw");
        assertThat(client.call("art__prompts", "{\"name\": \"praise\"}").text()).contains("Unknown tool: art__prompts");
    }

    private static String withoutId(Reply reply) {
        return reply.text().replaceAll("\"id\":\\d+", "\"id\":0");
    }

    private static String records(String agent) {
        return server.admin()
                .get("/api/v1/audit/logs?agent_id=" + agent + "&limit=100")
                .text();
    }
}
