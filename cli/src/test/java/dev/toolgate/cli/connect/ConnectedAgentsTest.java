package dev.toolgate.cli.connect;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.cli.mcp.ToolgateProcess;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.mcpclient.ClientGate;
import dev.toolgate.server.mcpclient.ClientProcess;
import dev.toolgate.server.mcpclient.CodingAgents;
import dev.toolgate.server.mcpclient.ModelScript;
import dev.toolgate.server.mcpclient.ScriptedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claude Code and the Codex CLI, set up only by {@code toolgate connect}. */
@Timeout(900)
class ConnectedAgentsTest {
    @TempDir
    private static Path home;

    @TempDir
    private Path folder;

    private static ClientGate gate;
    private static Map<String, String> environment;

    @BeforeAll
    static void start() throws Exception {
        gate = ClientGate.start(home);
        environment =
                ToolgateProcess.environment(gate.server().url(), gate.server().key(FIRST, Role.ADMIN, null));
    }

    @AfterAll
    static void stop() throws Exception {
        gate.close();
    }

    private String turn(ClientProgram client, ModelScript script) throws IOException {
        try (ScriptedModel model = ScriptedModel.start(script);
                ClientProcess running = client == ClientProgram.CODEX
                        ? CodingAgents.codex(folder, model)
                        : CodingAgents.claudeCode(folder, model, List.of())) {
            ClientProcess.Ended ended = running.await();
            assertThat(ended.code()).as(ended.toString()).isZero();
            return ended.toString();
        }
    }

    private static String program(ClientProgram client) {
        return client == ClientProgram.CODEX ? "codex-mcp-client/0.166" : "claude-code/2.1.325";
    }

    @ParameterizedTest
    @EnumSource(names = {"CLAUDE_CODE", "CODEX"})
    void written_settings_connect_it_and_its_first_call_is_reported(ClientProgram client) throws Exception {
        String agent = "written_" + client;
        Path file = client.file(new UserFolders(Map.of("HOME", folder.toString()), "Linux"));
        try (ClientProcess connecting = ClientProcess.start(
                folder,
                environment,
                ToolgateProcess.command("connect", client.toString(), "--agent", agent, "--write", "--wait", "3m"))) {
            await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(file));
            gate.grantAll(agent);
            ModelScript script = new ModelScript().call("speak", agent);
            String said = turn(client, script);
            assertThat(script.results()).as(said).hasSize(1);
            assertThat(script.results().getFirst()).contains("speak said " + agent);

            ClientProcess.Ended connected = connecting.await();
            assertThat(connected.code()).as(connected.toString()).isZero();
            assertThat(connected.err())
                    .contains("The first call came: " + program(client))
                    .contains("called speak, which was allowed.");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CLAUDE_CODE", "CODEX"})
    void the_printed_command_connects_it(ClientProgram client) throws Exception {
        String agent = "pasted_" + client;
        String line;
        try (ClientProcess connecting = ClientProcess.start(
                folder,
                environment,
                ToolgateProcess.command("connect", client.toString(), "--agent", agent, "--no-wait"))) {
            line = connecting.await().out();
        }
        gate.grantAll(agent);
        Map<String, String> path = new TreeMap<>();
        path.put("PATH", programs() + ":" + System.getenv("PATH"));
        for (int i = 0; i < 2; i++) { // pasting the command twice must do no harm
            try (ClientProcess shell = ClientProcess.start(folder, path, List.of("bash", "-c", line))) {
                ClientProcess.Ended pasted = shell.await();
                assertThat(i == 0 ? pasted.code() : 0).as(pasted.toString()).isZero();
            }
        }

        ModelScript script = new ModelScript().call("speak", agent);
        String said = turn(client, script);
        assertThat(script.results()).as(said).hasSize(1);
        assertThat(script.results().getFirst()).contains("speak said " + agent);
        assertThat(gate.records(agent)).hasSize(1).allMatch(entry -> entry.startsWith(program(client)));
    }

    /** A folder with the programs under their usual command names. */
    private Path programs() throws IOException {
        Path programs = Files.createDirectories(folder.resolve("bin"));
        for (Map.Entry<String, List<String>> program : Map.of(
                        "claude", CodingAgents.claudeCodeCommand(), "codex", CodingAgents.codexCommand())
                .entrySet()) {
            Path script = Files.writeString(
                    programs.resolve(program.getKey()),
                    "#!/bin/sh\nexec '" + String.join("' '", program.getValue()) + "' \"$@\"\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return programs;
    }
}
