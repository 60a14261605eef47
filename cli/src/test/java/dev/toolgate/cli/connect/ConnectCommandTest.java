package dev.toolgate.cli.connect;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.cli.command.Terminal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.mcpclient.ClientGate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@Timeout(300)
class ConnectCommandTest {
    private static final Pattern KEY = Pattern.compile("Bearer ([!-~&&[^'\"\\\\]]+)");

    @TempDir
    private static Path home;

    @TempDir
    private Path folder;

    private static ClientGate gate;
    private static Terminal terminal;

    @BeforeAll
    static void start(@TempDir Path keys) throws Exception {
        gate = ClientGate.start(home);
        Path key = keys.resolve("key");
        Files.writeString(key, gate.server().key(FIRST, Role.ADMIN, null));
        terminal = Terminal.at(gate.server().url(), key);
    }

    @AfterAll
    static void stop() throws Exception {
        gate.close();
    }

    private static String agentOf(String key) {
        return gate.server()
                .withKey(key)
                .get("/api/v1/whoami")
                .json()
                .path("agent_id")
                .asString();
    }

    private static String key(String text) {
        Matcher found = KEY.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group(1);
    }

    @ParameterizedTest
    @EnumSource(ClientProgram.class)
    void prints_a_command_with_a_key_of_the_agent(ClientProgram client) {
        String agent = "printed_" + client;
        Terminal.Result printed = terminal.run("connect", client.toString(), "--agent", agent, "--no-wait");

        assertThat(printed.code()).as(printed.err()).isZero();
        String line = printed.out().strip();
        assertThat(line).doesNotContain("\n");
        if (client == ClientProgram.CURSOR) {
            String config = line.substring(line.indexOf("config=") + "config=".length())
                    .replace("%3D", "=")
                    .replace("%2B", "+")
                    .replace("%2F", "/");
            line = new String(Base64.getDecoder().decode(config), StandardCharsets.UTF_8);
        }
        assertThat(line).contains(gate.url());
        assertThat(agentOf(key(line))).isEqualTo(agent);
        assertThat(printed.err())
                .contains("Agent " + agent + " added")
                .contains("toolgate grant " + agent)
                .contains("toolgate key revoke ");
    }

    private static String existing(ClientProgram client) {
        return switch (client) {
            case CLAUDE_CODE, CURSOR, GEMINI ->
                "{\"theme\": \"dark\", \"mcpServers\": {\"other\": {\"command\": \"x\"}}}";
            case VSCODE ->
                "{\n  // mine\n  \"servers\": {\"other\": {\"command\": \"x\"}},\n  \"theme\": \"dark\"\n}\n";
            case CODEX -> "theme = \"dark\" # mine\n\n[mcp_servers.other]\ncommand = \"x\"\n";
        };
    }

    @ParameterizedTest
    @EnumSource(ClientProgram.class)
    void adds_to_existing_settings_and_loses_nothing(ClientProgram client) throws IOException {
        String agent = "written_" + client;
        Path file = Files.writeString(folder.resolve("settings"), existing(client));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);

        String first = written(client, agent, link);
        String second = written(client, agent, link);

        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(second)
                .contains("theme", "dark", "other", "\"x\"", gate.url())
                .containsOnlyOnce("Bearer ")
                .containsOnlyOnce("toolgate");
        assertThat(agentOf(key(second))).isEqualTo(agent);
        assertThat(second.replace(key(second), key(first))).isEqualTo(first);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).hasSize(2);
        }
    }

    private static String written(ClientProgram client, String agent, Path file) throws IOException {
        Terminal.Result done = terminal.run(
                "connect", client.toString(), "--agent", agent, "--write", "--file", file.toString(), "--no-wait");
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out()).contains("Written to " + file).doesNotContain("Bearer");
        return Files.readString(file);
    }

    @Test
    void every_client_has_its_own_settings_file() {
        UserFolders linux = new UserFolders(Map.of("HOME", "/home/me"), "Linux");
        UserFolders elsewhere = new UserFolders(
                Map.of("HOME", "/home/me", "CODEX_HOME", "/codex", "CLAUDE_CONFIG_DIR", "/claude"), "Mac OS X");

        assertThat(List.of(ClientProgram.values()).stream()
                        .map(client -> client.file(linux).toString()))
                .containsExactly(
                        "/home/me/.claude.json",
                        "/home/me/.config/Code/User/mcp.json",
                        "/home/me/.cursor/mcp.json",
                        "/home/me/.codex/config.toml",
                        "/home/me/.gemini/settings.json");
        assertThat(List.of(ClientProgram.values()).stream()
                        .map(client -> client.file(elsewhere).toString()))
                .startsWith("/claude/.claude.json", "/home/me/Library/Application Support/Code/User/mcp.json")
                .contains("/codex/config.toml");
    }

    @Test
    void malformed_settings_are_kept_and_the_key_is_revoked() throws IOException {
        Path file = Files.writeString(folder.resolve("settings.json"), "{\"mcpServers\": [");

        Terminal.Result refused = terminal.run(
                "connect", "cursor", "--agent", "refused", "--write", "--file", file.toString(), "--no-wait");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("was not changed");
        assertThat(Files.readString(file)).isEqualTo("{\"mcpServers\": [");
        JsonNode keys = gate.server().admin().get("/api/v1/keys?limit=500").json();
        assertThat(keys.valueStream()
                        .filter(key -> key.path("agent_id").asString("").equals("refused"))
                        .map(key -> key.path("state").asString()))
                .containsExactly("revoked");
    }

    @Test
    void waits_for_the_first_call_and_reports_it() throws Exception {
        Path file = folder.resolve("new/mcp.json");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Terminal.Result> connecting = threads.submit(() -> terminal.run(
                    "connect",
                    "cursor",
                    "--agent",
                    "waited_for",
                    "--write",
                    "--file",
                    file.toString(),
                    "--wait",
                    "2m"));
            await().until(() -> Files.exists(file));
            gate.grantAll("waited_for");
            JsonNode entry = Json.MAPPER
                    .readTree(Files.readString(file))
                    .path("mcpServers")
                    .path("toolgate");
            Client client = new Client(gate.server().url())
                    .with(
                            "Authorization",
                            entry.path("headers").path("Authorization").asString())
                    .with("Accept", "application/json, text/event-stream")
                    .with("MCP-Protocol-Version", "2026-07-28")
                    .with("Mcp-Method", "tools/call")
                    .with("Mcp-Name", "speak");
            assertThat(client.post("/mcp", """
                            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "speak",
                             "arguments": {"text": "first"}, "_meta": {
                             "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                             "io.modelcontextprotocol/clientCapabilities": {},
                             "io.modelcontextprotocol/clientInfo": {"name": "curious", "version": "3"}}}}""").text()).contains("speak said first");

            Terminal.Result done = connecting.get();
            assertThat(done.code()).isZero();
            assertThat(done.err()).contains("The first call came: curious/3 called speak, which was allowed.");
        }
    }

    @Test
    void reports_if_no_call_arrived() {
        Terminal.Result done = terminal.run("connect", "gemini", "--agent", "silent", "--wait", "0s");

        assertThat(done.code()).isEqualTo(1);
        assertThat(done.err()).contains("No call came within 0s");
        assertThat(terminal.run("connect", "emacs").err()).contains("claude-code, vscode, cursor, codex, gemini");
    }
}
