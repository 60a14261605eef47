package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static dev.toolgate.server.door.mcp.McpTestClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import dev.toolgate.server.operate.SayTool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Clients that search for tools instead of listing them, and equal denials in every era and transport. */
@Timeout(120)
class McpSearchTest {
    private static final Map<String, Integer> SAID = new ConcurrentHashMap<>();
    private static final Map<String, String> SETTINGS =
            Map.of("limits.refused.calls", "0", "dialect.mcp.search_agents", "{\"default\": [\"agent_9\"]}");
    private static final String TASKS = "{\"extensions\": {\"io.modelcontextprotocol/tasks\": {}}}";

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client agent;
    private static String key;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(
                home,
                SETTINGS,
                new NoteTool(),
                new SayTool(words -> {
                    SAID.merge(words, 1, Integer::sum);
                    return Output.text("said " + words);
                }),
                new ServerSources.Greet(),
                new ServerSources.Keyed());
        key = server.key(FIRST, Role.AGENT, RunningServer.AGENT);
        agent = server.withKey(key);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
        for (String tool : List.of("say", "notes%2Ftake")) {
            server.admin().put("/api/v1/permissions/agent_1/" + tool, "{\"allowed\": true}");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static List<String> found(McpTestClient client, String arguments) {
        return result(client.call("find_tools", arguments))
                .path("structuredContent")
                .path("tools")
                .valueStream()
                .map(tool -> tool.path("name").asString())
                .toList();
    }

    private static String calling(String tool, String arguments) {
        return "{\"name\": \"" + tool + "\", \"arguments\": " + arguments + "}";
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void tools_are_found_and_called_by_two_tools(Era era) {
        McpTestClient client = McpTestClient.searching(agent.with("X-Correlation-ID", "search-" + era), era, "{}");
        assertThat(client.tools()).containsExactly("call_tool", "find_tools");

        assertThat(found(client, "{}")).containsExactly("notes__take", "say");
        assertThat(found(client, "{\"query\": \"say something\"}")).containsExactly("say");
        assertThat(found(client, "{\"query\": \"NOTE\", \"limit\": 1}")).containsExactly("notes__take");
        JsonNode nothing = result(client.call("find_tools", "{\"query\": \"bash command shell\"}"));
        assertThat(nothing.path("structuredContent").toString()).isEqualTo("{\"tools\":[],\"total\":0}");
        assertThat(found(client, "{\"query\": \"doing\"}")).containsExactly("notes__take");

        assertThat(text(client.call("call_tool", calling("say", "{\"text\": \"found " + era + "\"}"))))
                .isEqualTo("said found " + era);
        assertThat(SAID).containsEntry("found " + era, 1);
        client.call("call_tool", calling("bash", "{\"command\": \"date\"}"));
        assertThat(server.admin()
                        .get("/api/v1/audit/logs?correlation_id=search-" + era + "&order=asc")
                        .json()
                        .valueStream()
                        .map(entry -> entry.path("client").asString() + " "
                                + entry.path("tool_name").asString() + " "
                                + entry.path("allowed").asBoolean()))
                .containsExactly("test-client/1.2 say true", "test-client/1.2 bash false");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void unlisted_tools_cannot_be_called_by_their_own_name(Era era) {
        McpTestClient searching = McpTestClient.searching(agent, era, "{}");
        assertThat(searching.call("say", "{\"text\": \"directly\"}").text()).contains("Unknown tool: say");
        assertThat(searching.call("call_tool", calling("find_tools", "{}")).text())
                .contains("Unknown tool: find_tools");
        McpTestClient listing = McpTestClient.of(agent, era);
        assertThat(listing.call("call_tool", calling("say", "{\"text\": \"directly\"}"))
                        .text())
                .contains("Unknown tool: call_tool");
        assertThat(SAID).doesNotContainKey("directly");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "call_tool {}",
                "call_tool {\"name\": 7}",
                "call_tool {\"name\": \"say\", \"arguments\": \"text\"}",
                "find_tools {\"query\": 1}",
                "find_tools {\"limit\": 0}",
                "find_tools {\"limit\": 1000000000000000000000}"
            })
    void wrong_arguments_get_a_result_that_says_what_is_wrong(String call) {
        int space = call.indexOf(' ');
        JsonNode wrong = result(McpTestClient.searching(agent, Era.MODERN, "{}")
                .call(call.substring(0, space), call.substring(space + 1)));

        assertThat(wrong.path("isError").asBoolean()).isTrue();
        assertThat(wrong.path("content").path(0).path("text").asString()).startsWith("The argument '");
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void an_operator_imposes_search_on_an_agent(Era era) {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_9\"}");
        server.admin().put("/api/v1/permissions/agent_9/say", "{\"allowed\": true}");
        String own = server.key(FIRST, Role.AGENT, new AgentId("agent_9"));
        for (Client client : List.of(server.withKey(own), server.admin().with("X-Agent-ID", "agent_9"))) {
            McpTestClient imposed = McpTestClient.of(client, era);
            assertThat(imposed.tools()).containsExactly("call_tool", "find_tools");
            assertThat(imposed.call("say", "{\"text\": \"around\"}").text()).contains("Unknown tool: say");
            assertThat(text(imposed.call("call_tool", calling("say", "{\"text\": \"imposed " + era + "\"}"))))
                    .isEqualTo("said imposed " + era);
        }
        assertThat(SAID).doesNotContainKey("around").containsEntry("imposed " + era, 2);
    }

    @Test
    void a_session_keeps_the_list_mode_it_started_with() {
        McpTestClient searching = McpTestClient.searching(agent, Era.LEGACY, "{}");

        assertThat(McpTestClient.inSession(agent, searching.session())
                        .send("tools/list", "{}")
                        .status())
                .isEqualTo(404);
        assertThat(agent.with("Accept", "application/json, text/event-stream")
                        .post("/mcp?tools=some", "{}")
                        .text())
                .contains("must be all or search");
    }

    /** How a call reaches the gate. */
    enum Transport {
        HTTP,
        PIPES
    }

    /** Hidden tools of every kind, each with a name of the same length that no tool has. */
    private static final Map<String, String> HIDDEN =
            Map.of("bash", "hsab", "art__greet", "art__teerg", "art__keyed", "art__deyek");

    static List<Arguments> ways() {
        List<Arguments> ways = new ArrayList<>();
        for (Transport transport : Transport.values()) {
            for (Era era : Era.values()) {
                for (String capabilities : List.of("{}", TASKS)) {
                    for (ToolListMode listing : ToolListMode.values()) {
                        HIDDEN.forEach((hidden, unknown) ->
                                ways.add(Arguments.of(transport, era, capabilities, listing, hidden, unknown)));
                    }
                }
            }
        }
        return ways;
    }

    @ParameterizedTest
    @MethodSource("ways")
    void a_hidden_tool_is_denied_like_an_unknown_one_in_every_way(
            Transport transport, Era era, String capabilities, ToolListMode listing, String tool, String absent)
            throws Exception {
        for (String state : List.of("", "call:made-up")) {
            int before = refusals(tool, tool.replace("__", "/"), absent);
            String hidden = denial(transport, era, capabilities, listing, tool, state);
            String unknown = denial(transport, era, capabilities, listing, absent, state);

            assertThat(Json.MAPPER.readTree(hidden).path("error").toString())
                    .isEqualTo("{\"code\":-32602,\"message\":\"Unknown tool: " + tool + "\"}");
            assertThat(hidden.replace(tool, absent)).isEqualTo(unknown);
            assertThat(refusals(tool, tool.replace("__", "/"), absent)).isEqualTo(before + 2);
        }
    }

    @ParameterizedTest
    @EnumSource(ToolListMode.class)
    void a_hidden_tool_fails_like_an_unknown_one_without_permissions(ToolListMode listing) throws Exception {
        String unavailable = "The permission check is unavailable and nothing was done; try again shortly.";
        server.database().jdbi().useHandle(handle -> handle.execute("ALTER TABLE permission_versions RENAME TO away"));
        try {
            await().until(() -> denial(Transport.HTTP, Era.MODERN, "{}", listing, "art__deyek", "")
                    .contains(unavailable));
            String hidden = denial(Transport.HTTP, Era.MODERN, "{}", listing, "art__keyed", "");
            assertThat(hidden).isEqualTo(denial(Transport.HTTP, Era.MODERN, "{}", listing, "art__deyek", ""));
            McpTestClient client = McpTestClient.modern(agent, "{}");
            assertThat(client.call("art__keyed", "{\"command\": \"date\"}").status())
                    .isEqualTo(200);
        } finally {
            server.database()
                    .jdbi()
                    .useHandle(handle -> handle.execute("ALTER TABLE away RENAME TO permission_versions"));
        }
        await().until(() -> denial(Transport.HTTP, Era.MODERN, "{}", listing, "art__deyek", "")
                .contains("Unknown tool"));
    }

    private static int refusals(String... tools) {
        return server.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT count(*) FROM tool_audit_logs WHERE NOT allowed AND tool_name = ANY(:tools)")
                .bindArray("tools", String.class, (Object[]) tools)
                .mapTo(Integer.class)
                .one());
    }

    /**
     * A caller cannot tell a hidden tool from an unknown one by response time: counts the interleaved pairs of calls in
     * which the hidden one took longer. By chance alone, the standard deviation is half the square root of the number
     * of pairs; the test allows five of them.
     */
    @ParameterizedTest
    @EnumSource(Era.class)
    void a_hidden_tool_takes_as_long_as_an_unknown_one(Era era) {
        McpTestClient client = McpTestClient.of(agent, era);
        int warmUp = 100;
        int pairs = 2400;
        int longer = 0;
        for (int i = -warmUp; i < pairs; i++) {
            // The order alternates, so that it favours neither.
            boolean hiddenFirst = i % 2 == 0;
            long first = timed(client, hiddenFirst ? "bash" : "hsab");
            long second = timed(client, hiddenFirst ? "hsab" : "bash");
            if (i >= 0 && (hiddenFirst ? first > second : second > first)) {
                longer++;
            }
        }
        double chance = Math.sqrt(pairs) / 2;
        assertThat((double) longer).isBetween(pairs / 2.0 - 5 * chance, pairs / 2.0 + 5 * chance);
    }

    private static long timed(McpTestClient client, String tool) {
        long begun = System.nanoTime();
        Reply reply = client.call(tool, "{\"command\": \"date\"}");
        long took = System.nanoTime() - begun;
        assertThat(reply.text()).contains("Unknown tool");
        return took;
    }

    private static String denial(
            Transport transport, Era era, String capabilities, ToolListMode listing, String tool, String state)
            throws Exception {
        String arguments = "{\"command\": \"date\"}";
        String name = listing == ToolListMode.SEARCH ? "call_tool" : tool;
        String call = calling(name, listing == ToolListMode.SEARCH ? calling(tool, arguments) : arguments);
        String sent = state.isEmpty()
                ? call
                : ((ObjectNode) Json.MAPPER.readTree(call))
                        .put("requestState", state)
                        .toString();
        return switch (transport) {
            case HTTP -> {
                McpTestClient client = listing == ToolListMode.SEARCH
                        ? McpTestClient.searching(agent, era, capabilities)
                        : era == Era.MODERN ? McpTestClient.modern(agent, capabilities) : McpTestClient.of(agent, era);
                yield client.send("tools/call", sent).text();
            }
            case PIPES -> {
                String path = listing == ToolListMode.SEARCH ? "/mcp?tools=search" : "/mcp";
                try (RelayedTestClient client = new RelayedTestClient(server.url() + path, key)) {
                    if (era == Era.LEGACY) {
                        client.initialize();
                    }
                    ObjectNode message = (ObjectNode) Json.MAPPER.readTree(
                            McpTestClient.modern(agent, capabilities).body("tools/call", sent));
                    if (era == Era.LEGACY) {
                        message.withObjectProperty("params").remove("_meta");
                    }
                    client.write(message.toString());
                    yield client.read().toString();
                }
            }
        };
    }
}
