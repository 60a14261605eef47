package dev.toolgate.cli.hook;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.cli.mcp.ToolgateProcess;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.mcpclient.ClientProcess;
import dev.toolgate.server.mcpclient.CodingAgents;
import dev.toolgate.server.mcpclient.ModelScript;
import dev.toolgate.server.mcpclient.ScriptedModel;
import dev.toolgate.server.mcpclient.VoiceTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real Claude Code and Codex CLI behind the gate, by {@code toolgate hooks} and by {@code toolgate run}. */
@Timeout(900)
class HookedAgentsTest {
    private static final String AGENT = "coder";

    @TempDir
    private Path serverHome;

    @TempDir
    private Path home;

    private final VoiceTool speak = new VoiceTool("speak");
    private RunningServer server;
    private boolean isKilled;
    private Map<String, String> environment;

    @BeforeEach
    void start() throws Exception {
        server = RunningServer.start(serverHome, Map.of("dialect.mcp.hold_for", "1s"), speak);
        environment = ToolgateProcess.environment(server.url(), server.key(FIRST, Role.ADMIN, null));
    }

    @AfterEach
    void stop() throws Exception {
        if (!isKilled) {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CLAUDE_CODE", "CODEX"})
    void commands_run_only_with_a_permit_after_hooks_are_installed(HookedProgram client) throws Exception {
        try (ClientProcess installing = ClientProcess.start(
                home,
                environment,
                ToolgateProcess.command("hooks", "install", client.toString(), "--agent", AGENT, "--yes"))) {
            ClientProcess.Ended installed = installing.await();
            assertThat(installed.code()).as(installed.toString()).isZero();
        }
        permit(client, "{\"allowed\": true, \"condition\": \"!params.command.contains('forbidden')\"}");
        String approved = "echo approved >> " + effects();
        ModelScript script = new ModelScript()
                .bash("echo forbidden >> " + effects(), () -> {})
                .bash("echo allowed >> " + effects(), () -> {})
                .bash(approved, () -> permit(client, "{\"allowed\": true, \"requires_approval\": true}"))
                .bash(approved, this::approve)
                .bash("echo orphan >> " + effects(), this::kill);

        String said = turn(client, script, Map.of(), List.of());

        assertThat(script.results()).as(said).hasSize(5);
        assertThat(script.results().get(0)).contains("Toolgate denies this call");
        assertThat(script.results().get(2)).contains("a person must approve it first");
        assertThat(Files.readAllLines(effects())).containsExactly("allowed", "approved");
    }

    @ParameterizedTest
    @EnumSource(names = {"CLAUDE_CODE", "CODEX"})
    void a_run_has_the_gates_tools_and_hooks_and_leaves_no_settings(HookedProgram client) throws Exception {
        ok(server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + AGENT + "\"}"));
        ok(server.admin().put("/api/v1/tools/external/" + client + ":Bash", """
                {"description": "Runs a command.", "danger": "safe", "input_schema": {"type": "object"}}"""));
        ok(server.admin().put("/api/v1/permissions/" + AGENT + "/speak", "{\"allowed\": true}"));
        permit(client, "{\"allowed\": true, \"condition\": \"!params.command.contains('forbidden')\"}");
        ModelScript script = new ModelScript()
                .bash("echo forbidden >> " + effects(), () -> {})
                .bash("echo allowed >> " + effects(), () -> {})
                .call("speak", "hello")
                .bash("echo orphan >> " + effects(), this::kill);
        Map<String, String> path = new HashMap<>(environment);
        path.put("PATH", programs() + ":" + System.getenv("PATH"));

        String said = turn(
                client,
                script,
                path,
                ToolgateProcess.command(
                        "run", "--agent", AGENT, "--", client == HookedProgram.CODEX ? "codex" : "claude"));

        assertThat(script.results()).as(said).hasSize(4);
        assertThat(script.results().get(0)).contains("Toolgate denies this call");
        assertThat(script.results().get(2)).contains("speak said hello");
        assertThat(Files.readAllLines(effects())).containsExactly("allowed");
        assertThat(home.resolve(".claude/settings.json")).doesNotExist();
        assertThat(home.resolve(".codex/hooks.json")).doesNotExist();
        assertThat(home.resolve(".codex/config.toml")).doesNotExist();
    }

    private String turn(HookedProgram client, ModelScript script, Map<String, String> more, List<String> begin)
            throws IOException {
        try (ScriptedModel model = ScriptedModel.start(script);
                ClientProcess running = client == HookedProgram.CODEX
                        ? CodingAgents.codex(home, model, more, begin.isEmpty() ? CodingAgents.codexCommand() : begin)
                        : CodingAgents.claudeCode(
                                home,
                                model,
                                more,
                                begin.isEmpty() ? CodingAgents.claudeCodeCommand() : begin,
                                List.of())) {
            return running.await().toString();
        }
    }

    /** A folder with the programs under their usual command names. */
    private Path programs() throws IOException {
        Path programs = Files.createDirectories(home.resolve("bin"));
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

    private void permit(HookedProgram client, String terms) {
        ok(server.admin().put("/api/v1/permissions/" + AGENT + "/" + client + ":Bash", terms));
    }

    private void approve() {
        String question = server.admin()
                .get("/api/v1/approvals?state=pending")
                .json()
                .valueStream()
                .map(entry -> entry.path("approval_id").asString())
                .findFirst()
                .orElseThrow();
        ok(server.as(FIRST, Role.OPERATOR).post("/api/v1/approvals/" + question, "{\"approved\": true}"));
    }

    private void kill() {
        try {
            server.close();
            isKilled = true;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Path effects() {
        return home.resolve("effects.txt");
    }

    private static void ok(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
    }
}
