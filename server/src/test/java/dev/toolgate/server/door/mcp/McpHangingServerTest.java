package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import dev.toolgate.server.upstream.AnnouncingMcpServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that does not answer a request for a list, beside one that works. */
class McpHangingServerTest {
    private static final String READER = "reader";

    @TempDir
    private static Path home;

    private static AnnouncingMcpServer hanging;
    private static AnnouncingMcpServer working;
    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        hanging = new AnnouncingMcpServer();
        working = new AnnouncingMcpServer();
        server = RunningServer.start(
                home,
                Map.of(
                        "network.internal_places",
                        "{\"default\": [\"127.0.0.1:" + hanging.port() + "\", \"127.0.0.1:" + working.port() + "\"]}"));
        ok(server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + READER + "\"}"));
        add("art", hanging); // the first by name
        add("wiki", working);
    }

    @AfterAll
    static void stop() throws Exception {
        hanging.answerResources();
        server.close();
        hanging.close();
        working.close();
    }

    private static void add(String name, AnnouncingMcpServer added) {
        ok(server.admin()
                .post(
                        "/api/v1/mcp/servers",
                        "{\"name\": \"" + name + "\", \"url\": \"" + added.url() + "\", \"plain_http\": true}"));
        for (String source : List.of("prompts", "resources")) {
            ok(server.admin()
                    .put("/api/v1/permissions/" + READER + "/" + name + "%2F" + source, "{\"allowed\": true}"));
        }
    }

    // An answer to a request is waited for for a minute.
    @Test
    @Timeout(50)
    void a_list_that_hangs_delays_no_other_server() throws Exception {
        hanging.resources("art://one");
        hanging.hangOnResources();
        working.prompts("praise");
        working.resources("wiki://one");
        McpTestClient reading =
                McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, new AgentId(READER))), Era.MODERN);

        assertThat(names(reading, "resources")).containsExactly("wiki://one");
        assertThat(names(reading, "prompts")).containsExactly("wiki__praise");
        try (LiveStream stream = listen(reading)) {
            working.prompts("praise", "blame");
            stream.readUntil("notifications/prompts/list_changed");
            assertThat(names(reading, "prompts")).containsExactly("wiki__blame", "wiki__praise");
            working.resources("wiki://one", "wiki://two");
            stream.readUntil("notifications/resources/list_changed");
            assertThat(names(reading, "resources")).containsExactly("wiki://one", "wiki://two");

            hanging.answerResources();

            stream.readUntil("notifications/resources/list_changed");
            assertThat(names(reading, "resources")).containsExactly("art://one", "wiki://one", "wiki://two");
        }
    }

    private static List<String> names(McpTestClient client, String kind) {
        return result(client.send(kind + "/list", "{}"))
                .path(kind)
                .valueStream()
                .map(each -> each.path(kind.equals("prompts") ? "name" : "uri").asString())
                .toList();
    }

    private static LiveStream listen(McpTestClient client) throws IOException, InterruptedException {
        LiveStream stream = LiveStream.post(
                client.http("subscriptions/listen", ""),
                "/mcp",
                client.body(
                        "subscriptions/listen",
                        "{\"notifications\": {\"promptsListChanged\": true, \"resourcesListChanged\": true}}"));
        stream.readUntil("notifications/subscriptions/acknowledged");
        return stream;
    }

    private static void ok(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
    }
}
