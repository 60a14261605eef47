package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.mcpclient.ClientProcess;
import dev.toolgate.server.mcpclient.CodingAgents;
import dev.toolgate.server.mcpclient.ModelScript;
import dev.toolgate.server.mcpclient.ScriptedModel;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Claude Code itself, with its own shell behind the gate as in the guide, and a gate that is killed in between. */
@Timeout(600)
class ClaudeCodeTrialTest {
    private static final Path GUIDE = Path.of("../docs/guides/tools-that-run-elsewhere.md");
    private static final Pattern SETTINGS = Pattern.compile("```json\n(\\{\\s*\"hooks\".*?)```", Pattern.DOTALL);
    private static final String AGENT = "coder";
    private static final String PERMISSION = "/api/v1/permissions/" + AGENT + "/claude-code:Bash";

    @TempDir
    private Path folder;

    private DatabaseUrl database;
    private ServerProcess gate;

    @BeforeEach
    void start() throws Exception {
        database = MigratedDatabase.fresh();
        Path home = Files.createDirectory(folder.resolve("gate"));
        Files.writeString(home.resolve("toolgate.yaml"), "dialect: {mcp: {hold_for: 1s}}\naudit: {timeout: 30s}\n");
        gate = ServerProcess.withTrialTools(
                TrialDatabase.sharing(folder.resolve("files"), home, database),
                Files.createFile(folder.resolve("tools")));
    }

    @AfterEach
    void stop() {
        gate.close();
    }

    @Test
    void commands_of_claude_code_run_only_with_a_permit_and_once() throws Exception {
        prepare();
        Path home = Files.createDirectory(folder.resolve("claude"));
        install(home);
        ModelScript script = script();
        try (TrialDatabase trial = TrialDatabase.on(database)) {
            String key = trial.key(TrialDatabase.FIRST, "agent", AGENT).text();
            try (ScriptedModel model = ScriptedModel.start(script);
                    ClientProcess claude =
                            CodingAgents.claudeCode(home, model, Map.of("TOOLGATE_KEY", key), List.of())) {
                ClientProcess.Ended ended = claude.await();
                assertThat(ended.out()).as(ended.toString()).contains(ModelScript.END);
            }
            check(script, trial);
        }
    }

    private ModelScript script() {
        String approved = "echo approved >> " + effects();
        return new ModelScript()
                .bash("echo forbidden >> " + effects(), () -> {})
                .bash("echo allowed >> " + effects(), () -> {})
                .bash("echo failed >> " + effects() + "; exit 3", () -> {})
                .bash(approved, () -> permit("{\"allowed\": true, \"requires_approval\": true}"))
                .bash(approved, this::approve)
                .bash("echo orphan >> " + effects(), this::kill);
    }

    private void check(ModelScript script, TrialDatabase trial) throws IOException {
        assertThat(Files.readAllLines(effects())).containsExactly("allowed", "failed", "approved");
        assertThat(script.results()).hasSize(6);
        assertThat(script.results().get(0))
                .contains("Toolgate denies this call")
                .contains("condition");
        assertThat(script.results().get(2)).contains("Exit code 3");
        assertThat(script.results().get(3)).contains("a person must approve it first");
        assertThat(trial.rows("""
                        SELECT status, approved_by IS NOT NULL AS approved, executed_by, client, tool_call_id LIKE 'toolu_%' AS named,
                            parameters ->> 'command' AS command
                        FROM tool_audit_logs WHERE agent_id = ? AND kind = 'call' ORDER BY "timestamp", request_id""", AGENT))
                .extracting(row -> row.get("status")
                        + " " + row.get("approved") + " " + row.get("executed_by") + " " + row.get("client")
                        + " " + row.get("named") + " "
                        + String.valueOf(row.get("command")).replaceFirst("echo (\\w+) .*", "$1"))
                .containsExactly(
                        "REFUSED false client claude-code true forbidden",
                        "COMPLETED false client claude-code true allowed",
                        "FAILED false client claude-code true failed",
                        "COMPLETED true client claude-code true approved");
        assertThat(trial.count("SELECT count(*) FROM tool_intents")).isZero();
    }

    private void prepare() {
        Client admin = gate.client();
        Client.expect(201, admin.post("/api/v1/agents", "{\"agent_id\": \"" + AGENT + "\"}"));
        Client.expect(201, admin.send("PUT", "/api/v1/tools/external/claude-code:Bash", BodyPublishers.ofString("""
                                {"description": "Runs a command.", "danger": "safe", "input_schema": {"type": "object"}}""")));
        permit("{\"allowed\": true, \"condition\": \"!params.command.contains('forbidden')\"}");
    }

    private void permit(String terms) {
        Client.expect(200, gate.client().send("PUT", PERMISSION, BodyPublishers.ofString(terms)));
    }

    private void approve() {
        String question = gate.client()
                .get("/api/v1/approvals?state=pending")
                .json()
                .valueStream()
                .map(entry -> entry.path("approval_id").asString())
                .findFirst()
                .orElseThrow();
        Client.expect(200, gate.client().post("/api/v1/approvals/" + question, "{\"approved\": true}"));
    }

    private void kill() {
        try {
            gate.kill();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** Writes the settings that the guide shows, for this gate. */
    private void install(Path home) throws IOException {
        Matcher found = SETTINGS.matcher(Files.readString(GUIDE));
        assertThat(found.find()).as("settings of hooks in the guide").isTrue();
        String settings =
                found.group(1).replace("http://127.0.0.1:8001", gate.client().url());
        assertThat(Json.MAPPER.readTree(settings).path("hooks").propertyNames())
                .containsExactly("PreToolUse", "PostToolUse", "PostToolUseFailure");
        Files.writeString(Files.createDirectory(home.resolve(".claude")).resolve("settings.json"), settings);
    }

    private Path effects() {
        return folder.resolve("effects.txt");
    }
}
