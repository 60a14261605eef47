package dev.toolgate.server.mcpclient;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A gate with four tools for real clients: {@code speak} is allowed, {@code whisper} only with one text, {@code shout}
 * needs a person's approval, and {@code secret} is granted to no agent.
 */
public final class ClientGate implements AutoCloseable {
    /** The only text that may be whispered. */
    public static final String WHISPERED = "psst";

    public final VoiceTool speak = new VoiceTool("speak");
    public final VoiceTool whisper = new VoiceTool("whisper");
    public final VoiceTool shout = new VoiceTool("shout");
    public final VoiceTool secret = new VoiceTool("secret");

    private final RunningServer server;

    private ClientGate(Path home) throws Exception {
        server = RunningServer.start(home, Map.of("dialect.mcp.hold_for", "50s"), speak, whisper, shout, secret);
    }

    /**
     * Starts it.
     *
     * @param home an empty folder
     */
    public static ClientGate start(Path home) throws Exception {
        return new ClientGate(home);
    }

    public RunningServer server() {
        return server;
    }

    /** The address for MCP clients. */
    public String url() {
        return server.url() + "/mcp";
    }

    /** Adds an agent with its grants, and returns its key. */
    public String addAgent(String agent) {
        require(server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + agent + "\"}"));
        grantAll(agent);
        return server.key(FIRST, Role.AGENT, new AgentId(agent));
    }

    /** Grants an agent all tools but {@code secret}. */
    public void grantAll(String agent) {
        grant(agent, "speak", "{\"allowed\": true}");
        grant(agent, "whisper", "{\"allowed\": true, \"condition\": \"params.text == '" + WHISPERED + "'\"}");
        grant(agent, "shout", "{\"allowed\": true, \"requires_approval\": true}");
    }

    private void grant(String agent, String tool, String terms) {
        require(server.admin().put("/api/v1/permissions/" + agent + "/" + tool, terms));
    }

    /** Revokes a grant. */
    public void revoke(String agent, String tool) {
        require(server.admin().delete("/api/v1/permissions/" + agent + "/" + tool));
    }

    private static void require(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
    }

    /** Waits for the approval request of a call with this text, and approves it. */
    public void approve(String text) {
        String approval = await().atMost(Duration.ofMinutes(2))
                .until(
                        () -> server.as(FIRST, Role.OPERATOR)
                                .get("/api/v1/approvals?limit=500&state=pending")
                                .json()
                                .valueStream()
                                .filter(entry -> entry.toString().contains(text))
                                .map(entry -> entry.path("approval_id").asString())
                                .findFirst()
                                .orElse(""),
                        found -> !found.isEmpty());
        require(server.as(FIRST, Role.OPERATOR).post("/api/v1/approvals/" + approval, "{\"approved\": true}"));
    }

    /** The recorded calls of an agent in order, as client, tool and whether it was allowed. */
    public List<String> records(String agent) {
        JsonNode records = server.admin()
                .get("/api/v1/audit/logs?agent_id=" + agent + "&order=asc&limit=500")
                .json();
        return records.valueStream()
                .filter(entry -> !entry.path("client").asString("").isEmpty())
                .map(entry -> entry.path("client").asString() + " "
                        + entry.path("tool_name").asString() + " "
                        + (entry.path("allowed").asBoolean() ? "allowed" : "denied"))
                .toList();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
