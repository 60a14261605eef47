package dev.toolgate.server.door.access;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class LargeArgumentsTest {
    private static final int SIZE = 5_000_000;

    @Test
    void the_record_of_a_large_write_names_the_file(@TempDir Path home) throws Exception {
        try (RunningServer server = RunningServer.start(home)) {
            server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
            server.admin().put("/api/v1/permissions/agent_1/file_write", "{\"allowed\": true}");
            ObjectNode request = Json.MAPPER.createObjectNode();
            request.put("request_id", "large").put("agent_id", "agent_1");
            request.put("tool_name", "file_write").put("operation", "write");
            request.putObject("parameters").put("path", "large.txt").put("content", "line of text\n".repeat(SIZE / 13));

            Reply reply = server.as(FIRST, Role.AGENT).post("/api/v1/tools/execute", request.toString());

            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            JsonNode parameters = server.admin()
                    .get("/api/v1/audit/logs?request_id=large")
                    .json()
                    .path(0)
                    .path("parameters");
            assertThat(parameters.path("path").asString()).isEqualTo("large.txt");
            assertThat(parameters.path("content").asString())
                    .startsWith("line of text\nline of text\n")
                    .containsPattern("\\[shortened: 4,999,995 characters, hmac-sha256:[^\\]]+]$");
            assertThat(parameters.toString()).hasSizeLessThan(70_000);
        }
    }
}
