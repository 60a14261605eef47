package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Subscribing to a resource needs what reading it needs, and nobody can subscribe to everything. */
@Timeout(120)
class McpSubscriptionRulesTest {
    private static final ServerSources.Resources SOURCE = new ServerSources.Resources();

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of(), SOURCE);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static McpTestClient agent(String name, Era era, String grant) {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}");
        grant(name, grant);
        return McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, new AgentId(name))), era);
    }

    private static void grant(String name, String grant) {
        Reply granted = server.admin().put("/api/v1/permissions/" + name + "/art%2Fresources", grant);
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
    }

    /** What a client of the modern era is acknowledged, as the text of the message. */
    private static String acknowledged(LiveStream stream) throws Exception {
        stream.readUntil("notifications/subscriptions/acknowledged");
        return stream.readUntil("\n\n");
    }

    private static LiveStream listen(McpTestClient client, List<String> uris) throws Exception {
        return LiveStream.post(
                client.http("subscriptions/listen", ""),
                "/mcp",
                client.body(
                        "subscriptions/listen",
                        "{\"notifications\": {\"resourceSubscriptions\": [\"" + String.join("\", \"", uris) + "\"]}}"));
    }

    private static void refused(McpTestClient client, Era era, String uri) throws Exception {
        switch (era) {
            case LEGACY -> {
                try (LiveStream _ = LiveStream.open(client.http("", ""), "/mcp")) {
                    assertThat(client.send("resources/subscribe", "{\"uri\": \"" + uri + "\"}")
                                    .text())
                            .contains("There is no resource " + uri);
                }
            }
            case MODERN -> {
                try (LiveStream stream = listen(client, List.of(uri))) {
                    assertThat(acknowledged(stream)).doesNotContain(uri);
                }
            }
        }
        assertThat(SOURCE.subscribed).doesNotContainKey(uri);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_resource_that_a_condition_excludes_is_not_subscribed_to(Era era) throws Exception {
        McpTestClient client = agent(
                "public_" + era,
                era,
                "{\"allowed\": true, \"condition\": \"params.uri.startsWith('art://frames/1/')\"}");

        refused(client, era, "art://frames/7/front");
        if (era == Era.MODERN) {
            try (LiveStream stream = listen(client, List.of("art://frames/1/front"))) {
                assertThat(acknowledged(stream)).contains("art://frames/1/front");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_resource_that_needs_an_approval_is_not_subscribed_to(Era era) throws Exception {
        McpTestClient client = agent("held_" + era, era, "{\"allowed\": true, \"requires_approval\": true}");

        refused(client, era, "art://1");
        assertThat(server.admin()
                        .get("/api/v1/approvals?limit=500&state=pending")
                        .json())
                .isEmpty();
    }

    @Test
    void a_caller_that_may_no_longer_read_a_resource_is_not_told_of_changes() throws Exception {
        McpTestClient client = agent("demoted", Era.MODERN, "{\"allowed\": true}");
        List<String> both = List.of("art://frames/1/front", "art://frames/2/front");
        try (LiveStream stream = listen(client, both)) {
            assertThat(acknowledged(stream)).contains(both);
            grant("demoted", "{\"allowed\": true, \"condition\": \"params.uri.startsWith('art://frames/1/')\"}");
            await().until(() -> client.send("resources/read", "{\"uri\": \"art://frames/2/front\"}")
                    .text()
                    .contains("There is no resource"));

            SOURCE.change(both.getLast());
            for (int i = 0; i < 3; i++) {
                SOURCE.change(both.getFirst());
                assertThat(stream.readUntil(both.getFirst())).doesNotContain(both.getLast());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void an_update_during_an_outage_of_the_check_is_notified_after_it(Era era) throws Exception {
        McpTestClient client = agent("patient_" + era, era, "{\"allowed\": true}");
        String uri = "art://frames/" + era + "/front";
        try (LiveStream stream = subscribed(client, era, uri)) {
            String read = "{\"uri\": \"" + uri + "\"}";
            execute("ALTER TABLE permission_versions RENAME TO away");
            try {
                await().until(() -> client.send("resources/read", read).text().contains("unavailable"));
                SOURCE.change(uri);
                for (int i = 0; i < 10; i++) { // in the meantime the update has been tried
                    assertThat(client.send("resources/read", read).text()).contains("unavailable");
                }
            } finally {
                execute("ALTER TABLE away RENAME TO permission_versions");
            }

            stream.readUntil("notifications/resources/updated");
            stream.readUntil(uri);
        }
    }

    private static void execute(String statement) {
        server.database().jdbi().useHandle(handle -> handle.execute(statement));
    }

    private static LiveStream subscribed(McpTestClient client, Era era, String uri) throws Exception {
        return switch (era) {
            case LEGACY -> {
                LiveStream stream = LiveStream.open(client.http("", ""), "/mcp");
                assertThat(client.send("resources/subscribe", "{\"uri\": \"" + uri + "\"}")
                                .text())
                        .contains("result");
                yield stream;
            }
            case MODERN -> {
                LiveStream stream = listen(client, List.of(uri));
                assertThat(acknowledged(stream)).contains(uri);
                yield stream;
            }
        };
    }

    @Test
    void a_caller_has_a_share_of_the_subscriptions_of_a_server() throws Exception {
        McpTestClient greedy = agent("greedy", Era.MODERN, "{\"allowed\": true}");
        McpTestClient modest = agent("modest", Era.MODERN, "{\"allowed\": true}");
        List<String> many = IntStream.range(0, 150)
                .mapToObj(number -> "art://frames/" + number + "/front")
                .toList();
        String more = "art://frames/more/front";
        try (LiveStream stream = listen(greedy, many)) {
            assertThat(acknowledged(stream)).contains(many.subList(0, 100)).doesNotContain(many.subList(100, 150));
            try (LiveStream second = listen(greedy, List.of(many.getFirst(), more))) {
                assertThat(acknowledged(second)).contains(many.getFirst()).doesNotContain(more);
            }
            try (LiveStream other = listen(modest, List.of(more))) {
                assertThat(acknowledged(other)).contains(more);
            }
        }
    }
}
