package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.cli.command.ScriptedServer;
import dev.toolgate.cli.command.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswersTest {
    private static final String NO_SERVER = "http://127.0.0.1:1";
    private static final String KEY = "tg_the-key-of-this-test";

    @TempDir
    private Path folder;

    private ScriptedServer server;
    private Terminal terminal;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("key"), KEY + "\n");
        server = new ScriptedServer();
        terminal = Terminal.at(server.url(), folder.resolve("key"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_list_is_an_aligned_table_of_all_pages() {
        server.on(
                "GET /api/v1/agents?limit=100",
                200,
                "[{\"agent_id\":\"a\",\"name\":null,\"created_at\":\"2026-01-01T00:00:00.123456Z\"}]",
                Map.of("Link", "</api/v1/agents?limit=100&after=a>; rel=\"next\""));
        server.on("GET /api/v1/agents?limit=100&after=a", 200, "[{\"agent_id\":\"longer\",\"name\":\"B\"}]");

        Terminal.Result result = terminal.run("agents", "list");

        assertThat(result.code()).isZero();
        assertThat(result.out().lines())
                .containsExactly(
                        "AGENT   NAME  TRUST  DESCRIPTION  SINCE",
                        "a       -     -      -            2026-01-01T00:00:00Z",
                        "longer  B     -      -            -");
        assertThat(server.credentials()).containsOnly("Bearer " + KEY);
    }

    @Test
    void a_limit_ends_the_list_although_there_are_more_pages() {
        server.on(
                "GET /api/v1/agents?limit=1",
                200,
                "[{\"agent_id\":\"a\"}]",
                Map.of("Link", "</api/v1/agents?limit=1&after=a>; rel=\"next\""));

        assertThat(terminal.run("agents", "list", "-n", "1", "--json").out())
                .isEqualToIgnoringWhitespace("[{\"agent_id\":\"a\"}]");
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void a_link_to_another_server_is_not_followed() throws IOException {
        try (ScriptedServer other = new ScriptedServer()) {
            server.on(
                    "GET /api/v1/keys?limit=100",
                    200,
                    "[]",
                    Map.of("Link", "<" + other.url() + "/stolen>; rel=\"next\""));
            server.on("GET /stolen", 200, "[]");

            assertThat(terminal.run("key", "list").code()).isZero();
            assertThat(other.asked()).isEmpty();
        }
    }

    @Test
    void a_redirect_is_not_followed_with_the_key() throws IOException {
        try (ScriptedServer other = new ScriptedServer()) {
            server.on("GET /api/v1/templates", 307, "", Map.of("Location", other.url() + "/stolen"));

            assertThat(terminal.run("template", "list").code()).isEqualTo(1);
            assertThat(other.asked()).isEmpty();
        }
    }

    @Test
    void control_characters_sent_by_agents_are_removed() {
        server.on(
                "GET /api/v1/audit/logs?limit=100",
                200,
                "[{\"agent_id\":\"a\\u001b[2J\\r\\n\\u202eb\",\"tool_name\":\"\\u009b31m\",\"allowed\":false}]");

        String out = terminal.run("audit", "list").out();

        assertThat(out.lines()).hasSize(2);
        assertThat(out).contains("DENIED").doesNotContain("\u001b", "\u009b", "\u202e", "\r");
    }

    @Test
    void an_error_is_printed_with_the_remediation() {
        server.on(
                "GET /api/v1/agents/x",
                404,
                "{\"error\":{\"code\":\"INVALID_REQUEST\",\"message\":\"There is no agent 'x'\",\"remediation\":\"Check the ids.\"}}");

        Terminal.Result result = terminal.run("agents", "show", "x");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err().strip()).isEqualTo("toolgate: There is no agent 'x'. Check the ids.");
    }

    @Test
    void another_program_at_the_address_is_reported() {
        server.on("GET /health", 200, "<html>hello</html>");
        server.on("GET /api/v1/templates", 502, "<html>bad gateway</html>");

        assertThat(terminal.run("health").err())
                .contains("is not a Toolgate server")
                .doesNotContain("html");
        assertThat(terminal.run("template", "list").err())
                .contains("answered 502")
                .doesNotContain("html");
    }

    @Test
    void a_missing_server_is_reported_in_one_sentence() {
        Terminal.Result result = Terminal.at(NO_SERVER, folder.resolve("key")).run("agents", "list");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err().strip())
                .isEqualTo("toolgate: no server answers at " + NO_SERVER + "; start one with 'toolgate'");
    }

    @Test
    void the_key_is_never_printed_and_a_file_without_one_is_named() throws IOException {
        Files.writeString(folder.resolve("other"), "\u0000\u0001" + KEY);

        Terminal.Result wrong =
                Terminal.at(server.url(), folder.resolve("other")).run("agents", "list");
        Terminal.Result missing =
                Terminal.at(server.url(), folder.resolve("missing")).run("agents", "list");

        assertThat(wrong.err()).contains("other does not contain a key").doesNotContain(KEY);
        assertThat(missing.err()).contains("missing does not exist");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void usage_errors_and_failures_have_different_exit_codes() {
        assertThat(terminal.run("agents").code()).isEqualTo(2);
        assertThat(terminal.run("grant", "a").code()).isEqualTo(2);
        assertThat(terminal.run("grant", "a", "bash", "--for", "soon").code()).isEqualTo(2);
        assertThat(terminal.run("grant", "a", "bash", "--for", "1h", "--until", "2026-12-31")
                        .code())
                .isEqualTo(2);
        assertThat(terminal.run("audit", "list", "--allowed", "--denied").code())
                .isEqualTo(2);
        assertThat(terminal.run("audit", "export", "--format", "chains", "--agent", "a")
                        .code())
                .isEqualTo(2);
        assertThat(Terminal.at("ftp://example.com", folder.resolve("key"))
                        .run("health")
                        .code())
                .isEqualTo(2);
        assertThat(server.asked()).isEmpty();
    }
}
