package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import dev.toolgate.server.upstream.AnnouncingMcpServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of both eras are notified when the prompts and resources that they may use change, and of nothing else. */
@Timeout(180)
class McpListChangesTest {
    private static final String PROMPTS = "notifications/prompts/list_changed";
    private static final String RESOURCES = "notifications/resources/list_changed";
    private static final String TOOLS = "notifications/tools/list_changed";

    @TempDir
    private static Path home;

    private static AnnouncingMcpServer upstream;
    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        upstream = new AnnouncingMcpServer();
        server = RunningServer.start(
                home, Map.of("network.internal_places", "{\"default\": [\"127.0.0.1:" + upstream.port() + "\"]}"));
        ok(server.admin()
                .post(
                        "/api/v1/mcp/servers",
                        "{\"name\": \"wiki\", \"url\": \"" + upstream.url() + "\", \"plain_http\": true}"));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        upstream.close();
    }

    @ParameterizedTest
    @EnumSource
    void a_client_is_notified_of_its_own_prompts_and_resources_only(Era era) throws Exception {
        upstream.prompts("praise");
        upstream.resources("wiki://one");
        String reader = "reader_" + era;
        String bystander = "bystander_" + era;
        McpTestClient reading = agent(reader, era);
        McpTestClient standingBy = agent(bystander, era);
        grant(reader, "wiki%2Fprompts");
        grant(reader, "wiki%2Fresources");
        assertThat(names(reading, "prompts")).containsExactly("wiki__praise");
        assertThat(names(reading, "resources")).containsExactly("wiki://one");
        assertThat(names(standingBy, "prompts")).isEmpty();

        try (LiveStream stream = listen(reading, era);
                LiveStream other = listen(standingBy, era)) {
            upstream.prompts("praise", "blame");
            assertThat(stream.readUntil(PROMPTS)).doesNotContain(RESOURCES);
            assertThat(names(reading, "prompts")).containsExactly("wiki__blame", "wiki__praise");

            upstream.resources("wiki://one", "wiki://two");
            assertThat(stream.readUntil(RESOURCES)).doesNotContain(PROMPTS);
            assertThat(names(reading, "resources")).containsExactly("wiki://one", "wiki://two");

            upstream.prompts("praise", "blame"); // announced as changed, but the same
            grant(bystander, "file_list");
            assertThat(other.readUntil(TOOLS)).doesNotContain(PROMPTS).doesNotContain(RESOURCES);

            ok(server.admin().delete("/api/v1/permissions/" + reader + "/wiki%2Fprompts"));
            assertThat(stream.readUntil(PROMPTS)).doesNotContain(RESOURCES).doesNotContain(TOOLS);
            assertThat(names(reading, "prompts")).isEmpty();
            upstream.resources("wiki://two");
            assertThat(stream.readUntil(RESOURCES))
                    .as("one notification per change")
                    .doesNotContain(PROMPTS);

            grant(bystander, "wiki%2Fresources");
            assertThat(other.readUntil(RESOURCES)).doesNotContain(PROMPTS);
            assertThat(names(standingBy, "resources")).containsExactly("wiki://two");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_resource_is_subscribed_to_at_its_server_while_a_client_listens(Era era) throws Exception {
        String watched = "wiki://watched/" + era;
        upstream.resources(watched);
        try (LiveStream second = subscribed("second_" + era, era, "wiki", watched)) {
            try (LiveStream _ = subscribed("first_" + era, era, "wiki", watched)) {
                await().untilAsserted(() -> assertThat(upstream.subscribed()).containsExactly(watched));
            }
            upstream.update(watched);
            assertThat(second.readUntil("notifications/resources/updated")).isNotEmpty();
        }

        await().atMost(Duration.ofMinutes(1)).until(() -> {
            upstream.update(watched); // the gate notices by writing that a client has gone
            return upstream.subscribed().isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_subscription_continues_when_the_servers_settings_change(Era era) throws Exception {
        String watched = "wiki://settings/" + era;
        upstream.resources(watched);
        try (LiveStream stream = subscribed("settings_" + era, era, "wiki", watched)) {
            await().untilAsserted(() -> assertThat(upstream.subscribed()).containsExactly(watched));
            int before = upstream.subscriptions();

            int timeout = era == Era.LEGACY ? 40_000 : 41_000; // another one than before
            ok(server.admin().patch("/api/v1/mcp/servers/wiki", "{\"timeout_ms\": " + timeout + "}"));

            stream.readUntil("notifications/resources/updated"); // a change may have been missed
            await().until(() -> upstream.subscriptions() > before);
            await().untilAsserted(() -> assertThat(upstream.subscribed()).containsExactly(watched));
            upstream.update(watched);
            stream.readUntil("notifications/resources/updated");
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            upstream.update(watched); // the gate notices by writing that a client has gone
            return upstream.subscribed().isEmpty();
        });
    }

    @Test
    void a_subscription_ends_when_a_server_gets_user_accounts() throws Exception {
        String watched = "wiki://accounts";
        upstream.resources(watched);
        ok(server.admin()
                .post(
                        "/api/v1/mcp/servers",
                        "{\"name\": \"mail\", \"url\": \"" + upstream.url() + "\", \"plain_http\": true}"));
        try (LiveStream _ = subscribed("accounts", Era.MODERN, "mail", watched)) {
            await().untilAsserted(() -> assertThat(upstream.subscribed()).containsExactly(watched));
            int before = upstream.subscriptions();

            ok(server.admin().patch("/api/v1/mcp/servers/mail", "{\"credentials\": {\"kind\": \"user\"}}"));

            await().untilAsserted(() -> assertThat(upstream.subscribed()).isEmpty());
            await().during(Duration.ofSeconds(1)).until(() -> upstream.subscriptions() == before);
        }
        ok(server.admin().delete("/api/v1/mcp/servers/mail"));
    }

    private static LiveStream subscribed(String name, Era era, String source, String uri)
            throws IOException, InterruptedException {
        McpTestClient client = agent(name, era);
        grant(name, source + "%2Fresources");
        return switch (era) {
            case LEGACY -> {
                LiveStream stream = LiveStream.open(client.http("", ""), "/mcp");
                ok(client.send("resources/subscribe", "{\"uri\": \"" + uri + "\"}"));
                yield stream;
            }
            case MODERN -> acknowledged(client, "{\"notifications\": {\"resourceSubscriptions\": [\"" + uri + "\"]}}");
        };
    }

    private static McpTestClient agent(String name, Era era) {
        ok(server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}"));
        return McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, new AgentId(name))), era);
    }

    private static void grant(String agent, String tool) {
        ok(server.admin().put("/api/v1/permissions/" + agent + "/" + tool, "{\"allowed\": true}"));
    }

    private static List<String> names(McpTestClient client, String kind) {
        return result(client.send(kind + "/list", "{}"))
                .path(kind)
                .valueStream()
                .map(each -> each.path(kind.equals("prompts") ? "name" : "uri").asString())
                .toList();
    }

    private static LiveStream listen(McpTestClient client, Era era) throws IOException, InterruptedException {
        return switch (era) {
            case LEGACY -> LiveStream.open(client.http("", ""), "/mcp");
            case MODERN -> acknowledged(client, """
                        {"notifications": {"toolsListChanged": true, "promptsListChanged": true,
                         "resourcesListChanged": true}}""");
        };
    }

    private static LiveStream acknowledged(McpTestClient client, String wanted)
            throws IOException, InterruptedException {
        LiveStream stream = LiveStream.post(
                client.http("subscriptions/listen", ""), "/mcp", client.body("subscriptions/listen", wanted));
        stream.readUntil("notifications/subscriptions/acknowledged");
        return stream;
    }

    private static void ok(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
    }
}
