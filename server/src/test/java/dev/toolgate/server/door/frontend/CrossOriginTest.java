package dev.toolgate.server.door.frontend;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrossOriginTest {
    private static final String PAGE = "http://localhost:5173";

    @TempDir
    private static Path home;

    @TempDir
    private static Path otherHome;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(
                home, Map.of("dialect.toolbackend.allowed_origins", PAGE + ",https://app.example.com"));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_preflight_request_returns_what_the_page_may_send() {
        Reply reply = preflight(server.anonymous(), PAGE, "/execute-tool");

        assertThat(reply.status()).isEqualTo(204);
        assertThat(reply.header("Access-Control-Allow-Origin")).contains(PAGE);
        assertThat(reply.header("Access-Control-Allow-Methods").orElse("")).contains("POST");
        assertThat(reply.header("Access-Control-Allow-Headers").orElse(""))
                .contains("Authorization", "Content-Type", "X-Correlation-ID");
        assertThat(reply.header("Vary")).contains("Origin");
    }

    @Test
    void answers_and_errors_can_be_read_by_the_page() {
        for (String path : List.of("/health", "/tools")) {
            for (Client client : List.of(server.as(FIRST, Role.AGENT), server.anonymous())) {
                Reply reply = client.with("Origin", PAGE).get(path);
                assertThat(reply.header("Access-Control-Allow-Origin"))
                        .as(reply.toString())
                        .contains(PAGE);
                assertThat(reply.header("Access-Control-Expose-Headers").orElse(""))
                        .contains("X-Correlation-ID");
                assertThat(reply.header("Vary")).contains("Origin");
            }
        }
        assertThat(server.anonymous()
                        .with("Origin", PAGE)
                        .post("/execute-tool", "{")
                        .header("Access-Control-Allow-Origin"))
                .contains(PAGE);
        assertThat(server.anonymous()
                        .with("Origin", PAGE)
                        .send("PUT", "/tools", null)
                        .header("Access-Control-Allow-Origin"))
                .contains(PAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "null",
                "http://localhost:51730",
                "http://localhost:5173.evil.example",
                "HTTP://LOCALHOST:5173"
            })
    void pages_of_other_origins_get_no_cors_headers(String origin) {
        Reply asked = preflight(server.anonymous(), origin, "/execute-tool");
        Reply read = server.as(FIRST, Role.AGENT).with("Origin", origin).get("/tools");

        for (Reply reply : List.of(asked, read)) {
            assertThat(permissions(reply)).isEmpty();
            assertThat(reply.header("Vary")).contains("Origin");
        }
    }

    @Test
    void other_routes_have_no_cors_headers_and_cookies_are_never_allowed() {
        assertThat(permissions(preflight(server.anonymous(), PAGE, "/api/v1/agents")))
                .isEmpty();
        assertThat(permissions(server.admin().with("Origin", PAGE).get("/api/v1/agents")))
                .isEmpty();
        assertThat(preflight(server.anonymous(), PAGE, "/execute-tool").header("Access-Control-Allow-Credentials"))
                .isEmpty();
    }

    @Test
    void without_the_setting_there_are_no_cors_headers() throws Exception {
        try (RunningServer withoutSetting = RunningServer.start(otherHome)) {
            Reply reply = preflight(withoutSetting.anonymous(), PAGE, "/execute-tool");
            assertThat(permissions(reply)).isEmpty();
            assertThat(reply.header("Vary")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "http://*.example.com", "http://localhost:5173/", "localhost:5173", "null"})
    void an_invalid_origin_in_the_settings_stops_the_start(String origin) {
        assertThatThrownBy(() -> RunningServer.start(otherHome, Map.of("dialect.toolbackend.allowed_origins", origin)))
                .hasMessageContaining("dialect.toolbackend.allowed_origins");
    }

    private static Reply preflight(Client client, String origin, String path) {
        return client.with("Origin", origin)
                .with("Access-Control-Request-Method", "POST")
                .with("Access-Control-Request-Headers", "authorization,content-type")
                .send("OPTIONS", path, null);
    }

    private static List<String> permissions(Reply reply) {
        return reply.response().headers().map().keySet().stream()
                .filter(name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("access-control-"))
                .toList();
    }
}
