package dev.toolgate.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.toolgate.cli.client.ServerAddress;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ModelsCommandTest {
    private static final String REFUSED = """
            {"error": {"code": "SERVICE_UNAVAILABLE", "message": "Ollama could not be reached.",
             "remediation": "Wait.", "retryable": true, "correlation_id": "c"}}""";

    @TempDir
    private Path folder;

    private ScriptedServer server;
    private Terminal terminal;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        terminal = Terminal.at(server.url(), Files.writeString(folder.resolve("key"), "tg_some-key"));
        server.on("GET /api/v1/providers", 200, """
                [{"name": "claude", "base_url": "https://api.anthropic.com", "key_configured": true},
                 {"name": "ollama", "base_url": "http://127.0.0.1:11434", "key_configured": false}]""");
        server.on(
                "GET /api/v1/providers/claude/models",
                200,
                "[{\"id\": \"haiku\", \"name\": \"Claude \\u001b[2JHaiku\"}]");
        server.on("GET /api/v1/providers/ollama/models", 503, REFUSED);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void providers_are_listed_with_their_models_even_if_one_fails() {
        Terminal.Result result = terminal.run("models");

        assertThat(result.code()).isZero();
        assertThat(result.out().lines().map(String::strip))
                .contains(
                        "claude at https://api.anthropic.com, key configured",
                        "ollama at http://127.0.0.1:11434, no key configured",
                        "Ollama could not be reached. Wait.")
                .anyMatch(line -> line.startsWith("haiku  Claude "));
        assertThat(result.out()).doesNotContain("\u001b");
    }

    @Test
    void programs_get_the_same_as_json() {
        assertThat(Json.MAPPER.readTree(terminal.run("models", "--json").out())).isEqualTo(Json.MAPPER.readTree("""
                [{"name": "claude", "base_url": "https://api.anthropic.com", "key_configured": true,
                  "models": [{"id": "haiku", "name": "Claude \\u001b[2JHaiku"}]},
                 {"name": "ollama", "base_url": "http://127.0.0.1:11434", "key_configured": false,
                  "problem": "Ollama could not be reached. Wait."}]"""));
    }

    @Test
    void a_slow_provider_is_reported_but_an_unreachable_server_is_an_error() throws IOException {
        JsonNode providers = Json.MAPPER.readTree("[{\"name\": \"claude\"}, {\"name\": \"ollama\"}]");
        ServerAddress address = ServerAddress.at(server.url());
        ModelsCommand.Models slow = name -> {
            if (name.equals("claude")) {
                throw address.noAnswer(new HttpTimeoutException("late"));
            }
            return Json.MAPPER.createArrayNode();
        };

        assertThat(ModelsCommand.all(providers, slow)).isEqualTo(Json.MAPPER.readTree("""
                [{"name": "claude", "problem": "The server did not answer in time; try again with --provider claude."},
                 {"name": "ollama", "models": []}]"""));
        assertThatIOException()
                .isThrownBy(() -> ModelsCommand.all(providers, name -> {
                    throw address.noAnswer(new ConnectException("gone"));
                }))
                .withMessageStartingWith("no server answers");
    }

    @Test
    void a_single_provider_that_fails_is_an_error() {
        assertThat(terminal.run("models", "--provider", "claude").out().lines().findFirst())
                .get()
                .asString()
                .matches("MODEL +NAME");
        assertThat(server.asked()).containsExactly("GET /api/v1/providers/claude/models");

        Terminal.Result away = terminal.run("models", "--provider", "ollama");
        assertThat(away.code()).isEqualTo(1);
        assertThat(away.err()).contains("Ollama could not be reached.");
    }
}
