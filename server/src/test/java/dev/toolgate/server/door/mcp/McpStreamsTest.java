package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import dev.toolgate.server.wiring.ToolgateServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Cancelled calls, and clients that listen for changes: at one instance, at another and over pipes. */
@Timeout(180)
class McpStreamsTest {
    private static final ChatterTool CHATTER = new ChatterTool();

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static String key;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of(), CHATTER);
        key = server.key(FIRST, Role.AGENT, RunningServer.AGENT);
        agent = server.withKey(key);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
        server.admin().put("/api/v1/permissions/agent_1/chatter", "{\"allowed\": true}");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static String call(String text) {
        return "{\"name\": \"chatter\", \"arguments\": {\"text\": \"" + text
                + "\"}, \"_meta\": {\"progressToken\": \"p\"}}";
    }

    @Test
    void closing_the_stream_of_a_call_stops_its_tool() throws Exception {
        McpTestClient client = McpTestClient.of(agent.with("X-Correlation-ID", "closed"), Era.MODERN);
        try (LiveStream stream = LiveStream.post(
                client.http("tools/call", "chatter"), "/mcp", client.body("tools/call", call("closed")))) {
            stream.readUntil("notifications/progress");
        }

        CHATTER.awaitStop("closed");
        await().untilAsserted(() -> assertThat(server.admin()
                        .get("/api/v1/audit/logs?correlation_id=closed")
                        .json()
                        .path(0)
                        .path("client")
                        .asString(""))
                .isEqualTo("test-client/1.2"));
    }

    @Test
    void a_cancellation_that_arrives_at_another_instance_stops_the_call(@TempDir Path second) throws Exception {
        McpTestClient here = McpTestClient.of(agent, Era.LEGACY);
        try (ToolgateServer another = server.another(second, Map.of());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Reply> running = threads.submit(() -> here.send("tools/call", call("elsewhere")));
            CHATTER.awaitBegin("elsewhere");

            McpTestClient there = McpTestClient.inSession(
                    new Client(another.url()).with("Authorization", "Bearer " + key), here.session());
            Reply told = there.http("", "").post("/mcp", """
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}""");

            assertThat(told.status()).isEqualTo(202);
            CHATTER.awaitStop("elsewhere");
            assertThat(running.get().text()).doesNotContain("\"result\"");
        }
    }

    @Test
    void a_modern_client_is_notified_of_a_new_grant_of_its_agent() throws Exception {
        for (String name : new String[] {"listener", "bystander"}) {
            server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}");
        }
        Client listening = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("listener")));
        McpTestClient client = McpTestClient.of(listening, Era.MODERN);
        assertThat(client.tools()).isEmpty();
        String listen = client.body("subscriptions/listen", "{\"notifications\": {\"toolsListChanged\": true}}");
        try (LiveStream stream = LiveStream.post(client.http("subscriptions/listen", ""), "/mcp", listen)) {
            stream.readUntil("notifications/subscriptions/acknowledged");
            stream.readUntil("\n\n");
            server.admin().put("/api/v1/permissions/bystander/chatter", "{\"allowed\": true}");
            server.admin().put("/api/v1/permissions/listener/chatter", "{\"allowed\": true}");

            assertThat(stream.readUntil("notifications/tools/list_changed")).containsOnlyOnce("event: message");
        }
        assertThat(client.tools()).containsExactly("chatter");
    }

    @Test
    void over_pipes_a_call_is_cancelled_in_both_eras() throws Exception {
        try (RelayedTestClient client = new RelayedTestClient(server.url() + "/mcp", key)) {
            McpTestClient modern = McpTestClient.of(agent, Era.MODERN);
            client.write(modern.body("tools/call", call("modern pipe")));
            assertThat(client.read().path("method").asString()).isEqualTo("notifications/progress");
            client.write(
                    "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 1}}");
            CHATTER.awaitStop("modern pipe");
        }
        try (RelayedTestClient client = new RelayedTestClient(server.url() + "/mcp", key)) {
            client.initialize();
            client.write("{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"tools/call\", \"params\": "
                    + call("legacy pipe") + "}");
            assertThat(client.read().path("params").path("progressToken").asString())
                    .isEqualTo("p");
            client.write(
                    "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": 7}}");
            CHATTER.awaitStop("legacy pipe");
        }
    }

    @Test
    void over_pipes_a_client_is_notified_of_changes_in_both_eras() throws Exception {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"piped\"}");
        String piped = server.key(FIRST, Role.AGENT, new AgentId("piped"));
        try (RelayedTestClient legacy = new RelayedTestClient(server.url() + "/mcp", piped);
                RelayedTestClient modern = new RelayedTestClient(server.url() + "/mcp", piped)) {
            legacy.initialize();
            modern.write(McpTestClient.of(agent, Era.MODERN)
                    .body("subscriptions/listen", "{\"notifications\": {\"toolsListChanged\": true}}"));
            JsonNode acknowledged = modern.read();
            assertThat(acknowledged.path("method").asString()).isEqualTo("notifications/subscriptions/acknowledged");
            // The legacy client's stream is opened in the background: grants change until it is notified of one.
            Thread granting = Thread.ofVirtual().start(() -> {
                while (!Thread.interrupted()) {
                    server.admin().put("/api/v1/permissions/piped/chatter", "{\"allowed\": true}");
                    server.admin().delete("/api/v1/permissions/piped/chatter");
                }
            });
            try {
                assertThat(modern.read().path("method").asString()).isEqualTo("notifications/tools/list_changed");
                assertThat(legacy.read().path("method").asString()).isEqualTo("notifications/tools/list_changed");
            } finally {
                granting.interrupt();
                granting.join();
            }
        }
    }
}
