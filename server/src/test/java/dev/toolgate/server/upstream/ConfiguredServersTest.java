package dev.toolgate.server.upstream;

import static dev.toolgate.server.upstream.ChangingMcpServer.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.server.Client;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** MCP servers in the settings file. */
class ConfiguredServersTest {
    private static final String SERVERS = "/api/v1/mcp/servers";

    @TempDir
    private Path home;

    private final ChangingMcpServer upstream = ChangingMcpServer.open();

    @AfterEach
    void stop() {
        upstream.close();
    }

    private Map<String, String> settings(String servers) {
        return Map.of(
                "network.internal_places",
                "{\"default\": [\"127.0.0.1:" + upstream.port() + "\"]}",
                "mcp_servers",
                servers.replace("URL", upstream.url()));
    }

    @Test
    void tools_need_an_agreement_unless_agree_first_is_set() throws Exception {
        upstream.offer(tool("say", "Says something."));
        try (RunningServer server = RunningServer.start(home, settings("""
                {"default": {"first": {"url": "URL", "plain_http": true, "agree_first": true},
                             "waiting": {"url": "URL", "plain_http": true}},
                 "nobody": {"lost": {"url": "https://mcp.example.com/"}}}"""))) {
            Client admin = server.admin();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(
                            state(admin.get(SERVERS + "/first").json()))
                    .isEqualTo("agreed"));
            upstream.offer(tool("say", "Says something else."));
            assertThat(state(
                            admin.send("POST", SERVERS + "/first/refresh", null).json()))
                    .isEqualTo("changed");
            assertThat(admin.get(SERVERS + "/waiting").json().path("tools").isEmpty())
                    .as("not connected yet, since no client has used it")
                    .isTrue();
            assertThat(state(admin.send("POST", SERVERS + "/waiting/refresh", null)
                            .json()))
                    .isEqualTo("new");
            assertThat(admin.delete(SERVERS + "/waiting").message()).contains("file of settings");
            assertThat(admin.patch(SERVERS + "/waiting", "{\"enabled\": false}").status())
                    .isEqualTo(409);
            assertThat(admin.get(SERVERS).each("name")).containsExactly("first", "waiting");
        }
    }

    @Test
    void an_invalid_setting_is_reported_at_startup() {
        assertThatThrownBy(() -> RunningServer.start(home, settings("{\"default\": {\"a__b\": {\"url\": \"URL\"}}}")))
                .hasMessageContaining("mcp_servers");
        assertThatThrownBy(() -> RunningServer.start(home, settings("{\"default\": {\"a\": {\"url\": \"URL\"}}}")))
                .hasMessageContaining("must use https");
        assertThatThrownBy(() -> RunningServer.start(home, settings("{\"default\": {\"a\": {\"comand\": []}}}")))
                .hasMessageContaining("comand");
    }

    private static String state(JsonNode server) {
        return server.at("/tools/0/state").asString("");
    }
}
