package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.AGENT;
import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.upstream.ChangingMcpServer.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.upstream.ChangingMcpServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tools of a server behind the gate, for clients of both eras, with and without search. */
class McpUpstreamToolsTest {
    private static final String SERVERS = "/api/v1/mcp/servers";

    @TempDir
    private Path home;

    private final ChangingMcpServer upstream = ChangingMcpServer.open();
    private RunningServer server;
    private Client admin;

    @BeforeEach
    void start() throws Exception {
        upstream.offer(tool("say", "Says something."));
        server = RunningServer.start(
                home, Map.of("network.internal_places", "{\"default\": [\"127.0.0.1:" + upstream.port() + "\"]}"));
        admin = server.admin();
        admin.post("/api/v1/agents", "{\"agent_id\": \"" + AGENT + "\"}");
        admin.put("/api/v1/permissions/" + AGENT + "/wiki%2Fsay", "{\"allowed\": true}");
        Reply added =
                admin.post(SERVERS, "{\"name\": \"wiki\", \"url\": \"" + upstream.url() + "\", \"plain_http\": true}");
        assertThat(added.status()).as(added.text()).isEqualTo(201);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
        upstream.close();
    }

    @ParameterizedTest
    @EnumSource
    void an_agreed_tool_works_and_a_changed_one_does_not_exist(McpTestClient.Era era) {
        Client agent = server.as(FIRST, Role.AGENT);
        McpTestClient listing = McpTestClient.of(agent, era);
        McpTestClient searching = McpTestClient.searching(agent, era, "{}");
        assertThat(listing.tools()).containsExactly("wiki__say");
        assertThat(McpTestClient.text(listing.call("wiki__say", "{\"text\": \"hello\"}")))
                .contains("said hello");
        assertThat(searching.call("find_tools", "{\"query\": \"say\"}").text()).contains("wiki__say");

        upstream.offer(tool("say", "Says something else."));
        assertThat(admin.send("POST", SERVERS + "/wiki/refresh", null).status()).isEqualTo(200);

        assertThat(listing.tools()).isEmpty();
        assertThat(searching.call("find_tools", "{\"query\": \"say\"}").text()).doesNotContain("wiki__say");
        for (String name : List.of("wiki__say", "wiki/say", "wiki__nothing")) {
            assertThat(listing.call(name, "{}").text()).contains("Unknown tool: " + name);
            assertThat(searching
                            .call("call_tool", "{\"name\": \"" + name + "\", \"arguments\": {}}")
                            .text())
                    .contains("Unknown tool: " + name);
        }
        assertThat(upstream.calls()).isOne();
    }
}
