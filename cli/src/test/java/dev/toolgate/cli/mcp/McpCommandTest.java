package dev.toolgate.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.mcpclient.ClientGate;
import dev.toolgate.server.mcpclient.ClientProcess;
import dev.toolgate.server.mcpclient.InstalledClients;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate mcp}, started by a third-party client. */
@Timeout(600)
class McpCommandTest {
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

    private ClientProcess python(String era, String key, String... words) throws IOException {
        Path installed = InstalledClients.python("python");
        Map<String, String> environment =
                ToolgateProcess.environment(gate.server().url(), key);
        environment.put("MCP_COMMAND", Json.MAPPER.writeValueAsString(ToolgateProcess.command(words)));
        return ClientProcess.start(
                folder,
                environment,
                List.of(
                        installed.resolve("venv/bin/python").toString(),
                        InstalledClients.script(installed, "driver.py"),
                        era));
    }

    private static JsonNode call(ClientProcess client, String tool, String arguments) throws IOException {
        ObjectNode ask = Json.MAPPER.createObjectNode().put("do", "call").put("name", tool);
        ask.set("arguments", Json.MAPPER.readTree(arguments));
        return Json.MAPPER.readTree(client.ask(ask.toString()));
    }

    private static String saying(String text) {
        return "{\"text\": \"" + text + "\"}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "legacy"})
    void relays_everything_to_the_gate_in_both_eras(String era) throws Exception {
        String agent = "stdio_" + era;
        String key = gate.addAgent(agent);
        try (ClientProcess client = python(era, key, "mcp");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(client.ask("{\"do\": \"list\"}")).isEqualTo("{\"tools\": [\"shout\", \"speak\", \"whisper\"]}");
            assertThat(call(client, "speak", saying(agent)).path("text").asString())
                    .isEqualTo("speak said " + agent);
            assertThat(call(client, "whisper", saying(agent)).toString()).contains("condition");
            assertThat(call(client, "secret", saying(agent)).toString()).contains("Unknown tool: secret");
            String shouted = agent + " shouts";
            Future<JsonNode> waiting = threads.submit(() -> call(client, "shout", saying(shouted)));
            gate.approve(shouted);
            assertThat(waiting.get().path("text").asString()).isEqualTo("shout said " + shouted);
            gate.revoke(agent, "speak");
            assertThat(call(client, "speak", saying(agent + " again")).toString())
                    .contains("Unknown tool: speak");
        }
        assertThat(gate.records(agent))
                .containsExactly(
                        "mcp/0.1.0 speak allowed",
                        "mcp/0.1.0 whisper denied",
                        "mcp/0.1.0 secret denied",
                        "mcp/0.1.0 shout allowed",
                        "mcp/0.1.0 speak denied");
    }

    @Test
    void searches_the_tools_of_the_given_agent() throws Exception {
        gate.addAgent("stdio_named");
        String admin = gate.server().key(RunningServer.FIRST, Role.ADMIN, null);
        try (ClientProcess client = python("auto", admin, "mcp", "--agent", "stdio_named", "--search")) {
            assertThat(client.ask("{\"do\": \"list\"}")).isEqualTo("{\"tools\": [\"call_tool\", \"find_tools\"]}");
            assertThat(call(client, "find_tools", "{\"query\": \"speak\"}").toString())
                    .contains("speak")
                    .doesNotContain("secret");
            assertThat(call(client, "call_tool", "{\"name\": \"speak\", \"arguments\": {\"text\": \"found\"}}")
                            .path("text")
                            .asString())
                    .isEqualTo("speak said found");
        }
        assertThat(gate.records("stdio_named")).containsExactly("mcp/0.1.0 speak allowed");
    }

    @Test
    void an_unreachable_server_is_an_error_and_end_of_input_exits() throws Exception {
        Map<String, String> environment = ToolgateProcess.environment("http://127.0.0.1:9", "tg_none");
        try (ClientProcess program = ClientProcess.start(folder, environment, ToolgateProcess.command("mcp"))) {
            JsonNode answer = Json.MAPPER.readTree(program.ask("""
                    {"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": {}}"""));
            assertThat(answer.path("id").asString()).isEqualTo("first");
            assertThat(answer.path("error").path("message").asString()).contains("cannot be reached");

            ClientProcess.Ended ended = program.await();
            assertThat(ended.code()).isZero();
            assertThat(ended.out()).isEmpty();
        }
    }
}
