package dev.toolgate.cli.hook;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.cli.connect.UserFolders;
import dev.toolgate.cli.mcp.ToolgateProcess;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.mcpclient.ClientProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@Timeout(300)
class HooksInstallCommandTest {
    @TempDir
    private static Path serverHome;

    @TempDir
    private Path home;

    private static RunningServer server;
    private static String admin;

    private UserFolders folders;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(serverHome);
        admin = server.key(FIRST, Role.ADMIN, null);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void folders() {
        folders = new UserFolders(Map.of("HOME", home.toString()), "Linux");
    }

    private ClientProcess.Ended hooks(String typed, String key, String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("hooks", "install"));
        all.addAll(List.of(words));
        try (ClientProcess process = ClientProcess.start(
                home,
                ToolgateProcess.environment(server.url(), key),
                ToolgateProcess.command(all.toArray(String[]::new)))) {
            return process.await(typed);
        }
    }

    private static String existing(HookedProgram client) {
        return switch (client) {
            case CLAUDE_CODE -> """
                {
                  "model": "opus",
                  "hooks": {
                    "PreToolUse": [
                      {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}
                    ]
                  }
                }
                """;
            case CODEX ->
                "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]}}";
            case CURSOR -> "{\"version\": 1, \"hooks\": {\"stop\": [{\"command\": \"mine\"}]}}";
        };
    }

    /** All files below the home folder with their text; those with a key must be private. */
    private Map<String, String> files() throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> found = Files.walk(home)) {
            for (Path file : found.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("stderr"))
                    .toList()) {
                String text = Files.readString(file);
                if (text.contains("Bearer")) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------");
                }
                all.put(home.relativize(file).toString(), text);
            }
        }
        return all;
    }

    private String key(HookedProgram client) throws IOException {
        return new HookSettings(client, null, folders).key().orElseThrow();
    }

    private static JsonNode holder(String key) {
        return server.withKey(key).get("/api/v1/whoami").json();
    }

    @ParameterizedTest
    @EnumSource
    void hooks_are_added_once_and_removed_without_a_trace(HookedProgram client) throws Exception {
        String agent = "installed_" + client;
        Path file = client.file(folders);
        Files.createDirectories(file.getParent());
        Files.writeString(file, existing(client));
        Files.writeString(file.resolveSibling("config.toml"), "model = \"x\" # mine\n\n[features]\nhooks = true\n");
        Map<String, String> before = files();

        ClientProcess.Ended installed = hooks("y\n", admin, client.toString(), "--agent", agent);
        assertThat(installed.code()).as(installed.toString()).isZero();
        Map<String, String> after = files();
        String key = key(client);
        assertThat(installed.out()).contains("+ ", "[key]", "Write this? [y/N]").doesNotContain(key);
        assertThat(installed.err()).doesNotContain(key).contains("toolgate grant " + agent + " " + client + ":");
        assertThat(holder(key).path("agent_id").asString()).isEqualTo(agent);
        assertThat(after.values())
                .as("in one place")
                .filteredOn(text -> text.contains(key))
                .hasSize(1);
        assertThat(Json.MAPPER.readTree(Files.readString(file)).toString()).contains("mine");
        assertThat(server.admin().get("/api/v1/tools/external").each("name"))
                .contains(client.toolPrefix() + client.tools().getFirst().name());

        ClientProcess.Ended again = hooks("", admin, client.toString(), "--agent", agent);
        assertThat(again.out()).contains("Nothing to change");
        assertThat(files()).isEqualTo(after);

        ClientProcess.Ended moved = hooks("", admin, client.toString(), "--agent", agent + "_2", "--yes");
        assertThat(moved.err()).as("another agent has another key").contains("The key that it had is revoked");
        assertThat(files()).hasSameSizeAs(after);

        ClientProcess.Ended removed = hooks("", admin, client.toString(), "--remove", "--yes");
        assertThat(removed.code()).as(removed.toString()).isZero();
        assertThat(files()).isEqualTo(before);
        assertThat(server.withKey(key).get("/api/v1/whoami").status()).isEqualTo(401);
        assertThat(hooks("", admin, client.toString(), "--remove", "--yes").out())
                .contains("Nothing to remove");
    }

    @ParameterizedTest
    @EnumSource
    void each_client_is_configured_to_block_if_its_hook_fails(HookedProgram client) throws Exception {
        ClientProcess.Ended installed = hooks("", admin, client.toString(), "--yes", "--agent", "closed_" + client);
        assertThat(installed.code()).as(installed.toString()).isZero();
        JsonNode hooks =
                Json.MAPPER.readTree(Files.readString(client.file(folders))).path("hooks");

        switch (client) {
            case CLAUDE_CODE -> {
                assertThat(hooks.at("/PreToolUse/0/hooks/0/onFailure").asString())
                        .isEqualTo("block");
                assertThat(hooks.at("/PreToolUse/0/matcher").asString()).isEqualTo("*");
            }
            case CURSOR ->
                assertThat(hooks.at("/preToolUse/0/failClosed").asBoolean()).isTrue();
            case CODEX -> {
                String command = hooks.at("/PreToolUse/0/hooks/0/command").asString();
                assertThat(blocks(command.replace("/scripts/hook'", "/scripts/gone'")))
                        .contains("its hook failed");
                assertThat(Files.readString(home.resolve(".codex/config.toml")))
                        .contains(":pre_tool_use:0:0\"]", ":post_tool_use:0:0\"]");
            }
        }
        ClientProcess.Ended removed = hooks("", admin, client.toString(), "--remove", "--yes");
        assertThat(removed.code()).as(removed.toString()).isZero();
        assertThat(client.file(folders)).as("it was not there before").doesNotExist();
    }

    private String blocks(String command) throws Exception {
        Process shell = new ProcessBuilder("/bin/sh", "-lc", command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        shell.getOutputStream().close();
        String said = new String(shell.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isEqualTo(2);
        return said;
    }

    @Test
    void without_a_yes_nothing_is_changed_and_no_key_is_created() throws Exception {
        long keys = server.admin().get("/api/v1/keys?limit=500").json().size();

        ClientProcess.Ended asked = hooks("n\n", admin, "codex");
        ClientProcess.Ended unasked = hooks("", admin, "codex");

        assertThat(asked.code()).isEqualTo(1);
        assertThat(unasked.code()).isEqualTo(1);
        assertThat(asked.out()).contains("Nothing was changed.");
        assertThat(files()).isEmpty();
        assertThat(server.admin().get("/api/v1/keys?limit=500").json().size()).isEqualTo((int) keys);
    }

    @Test
    void malformed_settings_are_kept_and_no_key_is_left() throws Exception {
        Files.createDirectories(home.resolve(".claude"));
        Files.writeString(home.resolve(".claude/settings.json"), "{ broken");
        long keys = server.admin().get("/api/v1/keys?limit=500").json().size();

        ClientProcess.Ended refused = hooks("", admin, "claude-code", "--yes");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("was not changed", "it is not valid JSON");
        assertThat(files()).isEqualTo(Map.of(".claude/settings.json", "{ broken"));
        assertThat(server.admin().get("/api/v1/keys?limit=500").json().size()).isEqualTo((int) keys);
    }

    @Test
    void hooks_can_be_installed_with_an_agents_key() throws Exception {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"given\"}");
        String given = server.key(FIRST, Role.AGENT, new AgentId("given"));
        Path file = Files.writeString(home.resolve("agent.key"), given + "\n");

        ClientProcess.Ended installed =
                hooks("", given, "cursor", "--yes", "--agent-key", file.toString(), "--matcher", "Shell|Write");

        assertThat(installed.code()).as(installed.toString()).isZero();
        assertThat(key(HookedProgram.CURSOR)).isEqualTo(given);
        assertThat(Files.readString(home.resolve(".cursor/hooks.json"))).contains("\"matcher\" : \"Shell|Write\"");
    }

    @Test
    void the_matcher_excludes_only_tools_of_the_gate() {
        Pattern all = Pattern.compile(GateHook.allButGateTools());
        Map<String, Boolean> asked = new HashMap<>();
        for (String name : List.of(
                "Bash",
                "m",
                "mcp__",
                "mcp__toolgate",
                "mcp__toolgate__",
                "mcp__toolgate__read",
                "mcp__toolgate2__read",
                "mcp__other__x",
                "Mcp__toolgate__x",
                "mcp__toolgate_",
                "x")) {
            asked.put(name, all.matcher(name).find());
        }

        assertThat(asked)
                .allSatisfy(
                        (name, isAsked) -> assertThat(isAsked).as(name).isEqualTo(!name.startsWith("mcp__toolgate__")));
    }
}
