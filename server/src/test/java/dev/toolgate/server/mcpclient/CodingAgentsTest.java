package dev.toolgate.server.mcpclient;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Claude Code and the Codex CLI, end to end: a scripted model has them call tools through the gate. */
@Timeout(900)
class CodingAgentsTest {
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

    /** Allowed, denied by a condition, approved while it waits, revoked in mid-session. */
    private static ModelScript script(String agent) {
        return new ModelScript()
                .call("speak", agent + " one")
                .call("whisper", agent + " loud")
                .call("shout", agent + " shouts", () -> {}, () -> gate.approve(agent + " shouts"))
                .call("speak", agent + " two", () -> gate.revoke(agent, "speak"), () -> {});
    }

    private static void check(String agent, String client, ModelScript script) {
        assertThat(script.offered().toString())
                .contains("speak")
                .contains("whisper")
                .contains("shout")
                .doesNotContain("secret");
        assertThat(script.results()).hasSize(4);
        assertThat(script.results().get(0)).contains("speak said " + agent + " one");
        assertThat(script.results().get(1)).contains("condition").doesNotContain("whisper said");
        assertThat(script.results().get(2)).contains("shout said " + agent + " shouts");
        assertThat(script.results().get(3)).doesNotContain("speak said");
        assertThat(gate.speak.times(agent + " two")).isZero();
        assertThat(gate.records(agent))
                .allMatch(entry -> entry.startsWith(client))
                .extracting(entry -> entry.substring(entry.indexOf(' ') + 1))
                .startsWith("speak allowed", "whisper denied", "shout allowed");
    }

    @Test
    void claude_code_uses_the_gate() throws Exception {
        String agent = "claude_code";
        ModelScript script = script(agent);
        Path config = Files.writeString(folder.resolve("mcp.json"), """
                {"mcpServers": {"toolgate": {"type": "http", "url": "%s",
                 "headers": {"Authorization": "Bearer %s"}}}}""".formatted(gate.url(), gate.addAgent(agent)));
        try (ScriptedModel model = ScriptedModel.start(script);
                ClientProcess client = CodingAgents.claudeCode(
                        folder, model, List.of("--mcp-config", config.toString(), "--strict-mcp-config"))) {
            ClientProcess.Ended ended = client.await();
            assertThat(ended.code()).as(ended.toString()).isZero();
            assertThat(ended.out()).contains(ModelScript.END);
        }
        check(agent, "claude-code/2.1.325", script);
    }

    @Test
    void codex_uses_the_gate() throws Exception {
        String agent = "codex";
        ModelScript script = script(agent);
        Files.createDirectories(folder.resolve(".codex"));
        Files.writeString(folder.resolve(".codex/config.toml"), """
                [mcp_servers.toolgate]
                url = "%s"
                http_headers = { Authorization = "Bearer %s" }
                """.formatted(gate.url(), gate.addAgent(agent)));
        try (ScriptedModel model = ScriptedModel.start(script);
                ClientProcess client = CodingAgents.codex(folder, model)) {
            ClientProcess.Ended ended = client.await();
            assertThat(ended.code()).as(ended.toString()).isZero();
            assertThat(ended.out()).contains(ModelScript.END);
        }
        check(agent, "codex-mcp-client/0.166", script);
    }
}
