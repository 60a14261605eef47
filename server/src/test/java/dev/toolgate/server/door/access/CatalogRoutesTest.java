package dev.toolgate.server.door.access;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CatalogRoutesTest {
    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void every_tool_is_listed_with_its_schema_and_capability() {
        JsonNode tools = server.as(FIRST, Role.AUDITOR).get("/api/v1/tools").json();

        JsonNode read = tools.valueStream()
                .filter(tool -> tool.path("name").asString().equals("file_read"))
                .findFirst()
                .orElseThrow();
        assertThat(read.path("aliases").toString()).isEqualTo("[\"ReadFile\",\"readFile\"]");
        assertThat(read.path("capability").asString()).isEqualTo("File.Read");
        assertThat(read.path("category").asString()).isEqualTo("file");
        assertThat(read.path("danger").asString()).isEqualTo("safe");
        assertThat(read.path("description").asString()).isNotBlank();
        assertThat(read.at("/input_schema/properties/path").isObject()).isTrue();
        assertThat(read.has("result_schema")).isTrue();
    }

    @Test
    void an_agent_sees_the_tools_it_may_use() {
        assertThat(server.as(FIRST, Role.AGENT).get("/api/v1/tools").text()).isEqualTo("[]");

        server.admin().put("/api/v1/permissions/agent_1/bash", "{\"allowed\": true}");
        server.admin().put("/api/v1/permissions/agent_1/not_there", "{\"allowed\": true}");

        assertThat(server.as(FIRST, Role.AGENT).get("/api/v1/tools").each("name"))
                .containsExactly("bash");
    }
}
