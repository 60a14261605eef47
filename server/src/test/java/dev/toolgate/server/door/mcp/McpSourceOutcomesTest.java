package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ArgumentType;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ResourceSource;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests for prompts and resources whose call took the last use of its grant. */
@Timeout(120)
class McpSourceOutcomesTest {
    private static final String APPROVED_ONCE = "{\"allowed\": true, \"requires_approval\": true, \"max_uses\": 1}";
    private static final String READ = "{\"uri\": \"art://1\"}";
    private static final String PRAISE = "{\"name\": \"art__praise\", \"arguments\": {\"whom\": \"Ann\"}}";

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(
                home,
                Map.of("dialect.mcp.hold_for", "1s"),
                new ServerSources.Prompts(),
                new ServerSources.Resources(),
                new Zoo());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    /** Resources of another server, which lists none but has a template, and answers for every URI. */
    private static final class Zoo implements ResourceSource {
        @Override
        public ToolSpec<ObjectNode> spec() {
            return ToolSpec.of(
                    "zoo/resources",
                    ArgumentType.json((ObjectNode) Json.MAPPER.readTree("{\"type\": \"object\"}")),
                    Category.MCP,
                    "Mcp.Invoke",
                    "Reads");
        }

        @Override
        public List<ObjectNode> known() {
            return List.of();
        }

        @Override
        public List<ObjectNode> resources() {
            return List.of();
        }

        @Override
        public List<ObjectNode> templates() {
            return List.of((ObjectNode) Json.MAPPER.readTree("{\"uriTemplate\": \"art://frames/{number}/front\"}"));
        }

        @Override
        public @Nullable Subscription subscribe(String uri, Consumer<String> changed) {
            return null;
        }

        @Override
        public Output call(ObjectNode arguments, ToolContext context) {
            return Output.of(
                    "", Json.MAPPER.readTree("{\"contents\": [{\"uri\": \"zoo://1\", \"text\": \"an animal\"}]}"));
        }
    }

    private static void grant(String agent, String source, String terms) {
        Reply granted = server.admin().put("/api/v1/permissions/" + agent + "/" + source, terms);
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
    }

    private static Client agent(String name) {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}");
        return server.withKey(server.key(FIRST, Role.AGENT, new AgentId(name)));
    }

    /** Approves the request of an agent, and waits until the gate has carried it out. */
    private static void runApproved(String agent) {
        Client operator = server.as(FIRST, Role.OPERATOR);
        JsonNode question = await().until(
                        () -> operator.get("/api/v1/approvals?limit=500&state=pending")
                                .json()
                                .valueStream()
                                .filter(entry -> entry.toString().contains('"' + agent + '"'))
                                .findFirst()
                                .orElse(null),
                        found -> found != null);
        operator.post("/api/v1/approvals/" + question.path("approval_id").asString(), "{\"approved\": true}");
        await().until(() -> server.admin()
                .get("/api/v1/audit/logs?agent_id=" + agent + "&limit=100")
                .json()
                .valueStream()
                .anyMatch(entry -> entry.path("allowed").asBoolean()));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_resource_that_took_the_last_use_of_a_grant_is_collected_once(Era era) {
        String name = "reader_" + era;
        McpTestClient client = McpTestClient.of(agent(name), era);
        grant(name, "art%2Fresources", APPROVED_ONCE);
        assertThat(client.send("resources/read", READ).text()).contains("A person must approve");
        runApproved(name);

        JsonNode contents =
                result(client.send("resources/read", READ)).path("contents").get(0);
        assertThat(contents.path("text").asString()).isEqualTo("seen");
        assertAbsent(client.send("resources/read", READ), client.send("resources/read", READ.replace('1', '9')));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_resource_is_collected_after_it_needs_no_approval_any_more(Era era) {
        String name = "trusted_" + era;
        McpTestClient client = McpTestClient.of(agent(name), era);
        grant(name, "art%2Fresources", "{\"allowed\": true, \"requires_approval\": true}");
        assertThat(client.send("resources/read", READ).text()).contains("A person must approve");
        runApproved(name);
        grant(name, "art%2Fresources", "{\"allowed\": true}");
        String other = "{\"uri\": \"art://frames/1/front\"}";
        await().until(() -> client.send("resources/read", other).text().contains("seen"));

        assertThat(client.send("resources/read", READ).text()).contains("seen");

        assertThat(server.admin()
                        .get("/api/v1/audit/logs?agent_id=" + name + "&limit=100")
                        .json()
                        .valueStream()
                        .filter(entry -> entry.toString().contains("art://1")))
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void an_outcome_comes_from_its_server_even_if_another_is_left(Era era) {
        String name = "visitor_" + era;
        McpTestClient client = McpTestClient.of(agent(name), era);
        grant(name, "art%2Fresources", APPROVED_ONCE);
        grant(name, "zoo%2Fresources", "{\"allowed\": true}");
        assertThat(client.send("resources/read", READ).text()).contains("A person must approve");
        runApproved(name);

        assertThat(client.send("resources/read", READ).text()).contains("seen");
        assertThat(client.send("resources/read", READ).text()).contains("an animal");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void an_outcome_comes_from_its_server_even_if_another_has_the_uri(Era era) {
        String name = "tourist_" + era;
        String frame = "{\"uri\": \"art://frames/1/front\"}";
        McpTestClient client = McpTestClient.of(agent(name), era);
        grant(name, "art%2Fresources", APPROVED_ONCE);
        grant(name, "zoo%2Fresources", "{\"allowed\": true}");
        assertThat(client.send("resources/read", frame).text()).contains("A person must approve");
        runApproved(name);

        assertThat(client.send("resources/read", frame).text()).contains("seen");
        assertThat(client.send("resources/read", frame).text()).contains("an animal");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_uri_is_read_elsewhere_if_its_outcome_may_not_be_read(Era era) {
        String name = "expelled_" + era;
        String frame = "{\"uri\": \"art://frames/2/front\"}";
        McpTestClient client = McpTestClient.of(agent(name), era);
        grant(name, "art%2Fresources", APPROVED_ONCE);
        grant(name, "zoo%2Fresources", "{\"allowed\": true}");
        client.send("resources/read", frame);
        runApproved(name);
        server.admin().delete("/api/v1/permissions/" + name + "/art%2Fresources");

        assertThat(client.send("resources/read", frame).text()).contains("an animal");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_prompt_that_took_the_last_use_of_a_grant_is_collected_once(Era era) {
        String name = "praiser_" + era;
        McpTestClient client = McpTestClient.of(agent(name), era);
        grant(name, "art%2Fprompts", APPROVED_ONCE);
        assertThat(client.send("prompts/get", PRAISE).text()).contains("A person must approve");
        runApproved(name);

        assertThat(client.send("prompts/get", PRAISE.replace("Ann", "Bob")).text())
                .contains("Unknown prompt");
        assertThat(result(client.send("prompts/get", PRAISE))
                        .path("description")
                        .asString())
                .isEqualTo("for praise");
        assertAbsent(
                client.send("prompts/get", PRAISE), client.send("prompts/get", PRAISE.replace("praise", "esiarp")));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_request_id_gets_its_outcome_after_the_last_use(Era era) {
        String name = "named_" + era;
        McpTestClient client = McpTestClient.of(agent(name), era);
        grant(name, "art%2Fresources", "{\"allowed\": true, \"max_uses\": 1}");
        String named = "{\"uri\": \"art://1\", \"_meta\": {\"toolgate/request-id\": \"read-" + era + "\"}}";

        for (int i = 0; i < 2; i++) {
            assertThat(result(client.send("resources/read", named)).toString()).contains("seen");
        }
        assertThat(client.send("resources/read", READ).text()).contains("There is no resource");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void an_outcome_is_absent_while_its_grant_is_withdrawn(Era era) {
        String name = "fired_" + era;
        McpTestClient client = McpTestClient.of(agent(name), era);
        grant(name, "art%2Fresources", APPROVED_ONCE);
        client.send("resources/read", READ);
        runApproved(name);
        server.admin().delete("/api/v1/permissions/" + name + "/art%2Fresources");

        assertAbsent(client.send("resources/read", READ), client.send("resources/read", READ.replace('1', '9')));
    }

    private static void assertAbsent(Reply denied, Reply unknown) {
        assertThat(unknown.text()).contains("error");
        assertThat(withoutId(denied).replace("art://1", "art://9").replace("praise", "esiarp"))
                .isEqualTo(withoutId(unknown));
    }

    private static String withoutId(Reply reply) {
        return reply.text().replaceAll("\"id\":\\d+", "\"id\":0");
    }
}
