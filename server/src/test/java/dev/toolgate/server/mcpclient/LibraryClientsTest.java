package dev.toolgate.server.mcpclient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Third-party client libraries, each driven by a small program in a separate process. */
@Timeout(900)
class LibraryClientsTest {
    /** A library in one of the eras it supports. */
    enum Library {
        PYTHON_MODERN("python", "driver.py", "auto", "mcp/"),
        PYTHON_LEGACY("python", "driver.py", "legacy", "mcp/"),
        TYPESCRIPT_MODERN("typescript", "driver.mjs", "modern", "toolgate-test/2.4"),
        TYPESCRIPT_LEGACY("typescript", "driver.mjs", "legacy", "toolgate-test/2.4"),
        TYPESCRIPT_SDK("typescript-legacy", "driver.mjs", "legacy", "toolgate-test/1.32"),
        LANGCHAIN("langchain", "driver.py", "legacy", "mcp/");

        private final String folder;
        private final String script;
        private final String era;
        private final String client;

        Library(String folder, String script, String era, String client) {
            this.folder = folder;
            this.script = script;
            this.era = era;
            this.client = client;
        }

        List<String> command() throws IOException {
            if (script.endsWith(".py")) {
                Path installed = InstalledClients.python(folder);
                return List.of(
                        installed.resolve("venv/bin/python").toString(),
                        InstalledClients.script(installed, script),
                        era);
            }
            Path installed = InstalledClients.npm(folder);
            return List.of(InstalledClients.node(), InstalledClients.script(installed, script), era);
        }

        String agent() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @TempDir
    private static Path home;

    @TempDir
    private Path folder;

    private static ClientGate gate;

    @BeforeAll
    static void start() throws Exception {
        gate = ClientGate.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        gate.close();
    }

    @ParameterizedTest
    @EnumSource(Library.class)
    void lists_and_calls_tools_and_refusals_are_recorded(Library library) throws Exception {
        String agent = library.agent();
        String key = gate.addAgent(agent);
        Map<String, String> environment = Map.of("MCP_URL", gate.url(), "MCP_KEY", key);
        try (ClientProcess client = ClientProcess.start(folder, environment, library.command())) {
            assertThat(tools(client)).containsExactly("shout", "speak", "whisper");

            assertThat(call(client, "speak", agent + " one").path("text").asString())
                    .isEqualTo("speak said " + agent + " one");
            JsonNode refused = call(client, "whisper", agent + " loud");
            assertThat(refused.toString()).contains("condition");
            assertThat(refused.path("text").asString("")).doesNotContain("said");
            assertThat(call(client, "secret", agent).toString()).contains("Unknown tool: secret");
            assertThat(approved(client, agent + " shouts").path("text").asString())
                    .isEqualTo("shout said " + agent + " shouts");

            gate.revoke(agent, "speak");
            assertThat(call(client, "speak", agent + " two").toString()).contains("Unknown tool: speak");
            assertThat(tools(client)).containsExactly("shout", "whisper");
        }
        assertThat(gate.speak.times(agent + " two")).isZero();
        assertThat(gate.shout.times(agent + " shouts")).isOne();
        assertThat(gate.records(agent))
                .allMatch(entry -> entry.startsWith(library.client))
                .extracting(entry -> entry.substring(entry.indexOf(' ') + 1))
                .containsExactly("speak allowed", "whisper denied", "secret denied", "shout allowed", "speak denied");
    }

    private static JsonNode approved(ClientProcess client, String text) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<JsonNode> waiting = threads.submit(() -> call(client, "shout", text));
            gate.approve(text);
            return waiting.get();
        }
    }

    private static List<String> tools(ClientProcess client) throws IOException {
        return Json.MAPPER
                .readTree(client.ask("{\"do\": \"list\"}"))
                .path("tools")
                .valueStream()
                .map(JsonNode::asString)
                .sorted()
                .toList();
    }

    private static JsonNode call(ClientProcess client, String tool, String text) throws IOException {
        ObjectNode ask = Json.MAPPER.createObjectNode().put("do", "call").put("name", tool);
        ask.putObject("arguments").put("text", text);
        return Json.MAPPER.readTree(client.ask(ask.toString()));
    }
}
