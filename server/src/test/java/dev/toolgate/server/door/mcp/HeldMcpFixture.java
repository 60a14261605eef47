package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.operate.SayTool;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server where calls of {@code say} by MCP clients need an approval. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HeldMcpFixture {
    final Map<String, Integer> said = new ConcurrentHashMap<>();

    RunningServer server;
    Client agent;
    Client operator;

    /** How long the server holds a call before it responds. */
    abstract String holdFor();

    @BeforeAll
    void start(@TempDir Path home) throws Exception {
        server = RunningServer.start(home, options(), tools());
        agent = server.as(FIRST, Role.AGENT);
        operator = server.as(FIRST, Role.OPERATOR);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
        server.admin().put("/api/v1/permissions/agent_1/say", "{\"allowed\": true, \"requires_approval\": true}");
    }

    /** The settings of the server. */
    Map<String, String> options() {
        return Map.of("dialect.mcp.hold_for", holdFor());
    }

    Tool<?>[] tools() {
        return new Tool<?>[] {sayTool()};
    }

    /** Echoes a text and counts how often. */
    SayTool sayTool() {
        return new SayTool(text -> {
            said.merge(text, 1, Integer::sum);
            return Output.text("said " + text);
        });
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
    }

    static String arguments(String text) {
        return "{\"text\": \"" + text + "\"}";
    }

    JsonNode question(String text) {
        return await().until(
                        () -> operator.get("/api/v1/approvals?limit=500&state=pending")
                                .json()
                                .valueStream()
                                .filter(entry -> entry.toString().contains(text))
                                .findFirst()
                                .orElse(null),
                        found -> found != null);
    }

    void answer(String text, String approved) {
        Reply answered = operator.post(
                "/api/v1/approvals/" + question(text).path("approval_id").asString(),
                "{\"approved\": " + approved + "}");
        assertThat(answered.status()).as(answered.toString()).isEqualTo(200);
    }

    static String fresh() {
        return UUID.randomUUID().toString();
    }
}
