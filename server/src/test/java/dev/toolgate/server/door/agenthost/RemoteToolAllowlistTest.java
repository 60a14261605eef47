package dev.toolgate.server.door.agenthost;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.PolicySession;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The allowlist of remote tools that a session has. */
class RemoteToolAllowlistTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        agent = server.as(FIRST, Role.AGENT);
        Client orchestrator = server.as(FIRST, Role.ORCHESTRATOR);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
        for (String tool : new String[] {"cloud_db_query", "vault_read", "remote_build", "file_list"}) {
            server.admin().put("/api/v1/permissions/agent_1/" + tool, "{\"allowed\": true}");
        }
        PolicySession.of("unlisted", "agent_1", "{\"name\": \"BackendTool.Invoke\"}, {\"name\": \"File.Read\"}")
                .startedBy(orchestrator);
        PolicySession.of(
                        "listed", "agent_1", "{\"name\": \"BackendTool.Invoke\", \"allowedTools\": [\"CloudDbQuery\"]}")
                .startedBy(orchestrator);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void the_capability_without_a_list_allows_no_remote_tool() {
        JsonNode result = invoke("unlisted", "CloudDbQuery");

        assertThat(result.path("status").asString()).isEqualTo("denied");
        assertThat(result.path("error").path("code").asString()).isEqualTo("CAPABILITY_DENIED");
        assertThat(result.path("error").path("message").asString()).contains("'cloud_db_query' in allowedTools");
        assertThat(names("unlisted")).containsExactly("file_list");
    }

    @Test
    void a_listed_remote_tool_is_allowed() {
        JsonNode result = invoke("listed", "CloudDbQuery");

        assertThat(result.path("status").asString()).isEqualTo("failed");
        assertThat(result.path("error").path("message").asString()).contains("There is no database connection");
        assertThat(invoke("listed", "VaultRead").path("status").asString()).isEqualTo("denied");
        assertThat(names("listed")).containsExactly("CloudDbQuery");
    }

    private static Iterable<String> names(String session) {
        return agent.get("/tools?sessionId=" + session)
                .json()
                .path("tools")
                .valueStream()
                .map(tool -> tool.path("toolName").asString())
                .toList();
    }

    private static JsonNode invoke(String session, String tool) {
        Reply reply = agent.post("/tools/" + tool + "/invoke", """
                {"sessionId": "%s", "taskId": "t", "stepId": "s", "toolName": "%s",
                 "arguments": {"query": "SELECT 1", "connectionName": "prod"}}""".formatted(session, tool));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json();
    }
}
