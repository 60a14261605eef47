package dev.toolgate.server.door.frontend;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.Seed;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every documented request of the tool backend, with responses in exactly the documented format. */
class DocumentedActionsTest {
    private static final List<JsonNode> ACTIONS =
            Seed.read("tool-backend/actions.json").valueStream().toList();

    @TempDir
    private static Path home;

    private static OutsideWorld outside;
    private static RunningServer server;
    private static Client frontEnd;

    @BeforeAll
    static void start() throws Exception {
        outside = new OutsideWorld();
        outside.knownTo(home);
        server = RunningServer.start(home);
        frontEnd = server.as(FIRST, Role.AGENT);
        for (JsonNode tool : server.admin().get("/api/v1/tools").json()) {
            String path = "/api/v1/permissions/agent_1/" + tool.path("name").asString();
            assertThat(server.admin().put(path, "{\"allowed\": true}").status()).isEqualTo(200);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        outside.close();
    }

    @Test
    void health_is_as_documented() {
        Reply reply = server.anonymous().get("/health");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(Seed.complaints("tool-backend/health.json", reply.json())).isEmpty();
    }

    @Test
    void the_list_of_tools_matches_both_documents() {
        JsonNode tools = frontEnd.get("/tools").json();

        assertThat(Seed.complaints("tool-backend/tools.json", tools)).isEmpty();
        assertThat(Seed.complaints("backend-tools/tools.json", tools)).isEmpty();
        assertThat(listed("readFile").orElseThrow().path("toolName").asString()).isEqualTo("ReadFile");
        assertThat(listed("listFiles").orElseThrow().path("toolName").asString())
                .isEqualTo("file_list");
        assertThat(tools.path("tools").get(0).propertyNames())
                .containsExactly(
                        "name",
                        "toolName",
                        "description",
                        "requestSchema",
                        "responseSchema",
                        "inputSchema",
                        "requiresCapability",
                        "danger",
                        "category");
    }

    @Test
    void every_action_has_the_documented_schemas() {
        assertThat(ACTIONS).hasSize(15);
        for (JsonNode action : ACTIONS) {
            String name = action.path("tool").asString();
            JsonNode tool = listed(name).orElseThrow(() -> new AssertionError("There is no " + name));
            assertThat(Seed.complaints(tool.path("requestSchema"), action.path("args")))
                    .as(name)
                    .isEmpty();
            assertThat(Seed.complaints(tool.path("responseSchema"), action.path("documentedResult")))
                    .as(name)
                    .isEmpty();
            assertThat(tool.path("responseSchema")
                            .path("required")
                            .valueStream()
                            .map(JsonNode::asString))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(
                            action.path("documentedResult").propertyNames());
        }
    }

    @Test
    void every_action_returns_the_documented_result_without_secrets() throws Exception {
        StringBuilder said = new StringBuilder();
        said.append(frontEnd.post("/execute-tool", execute("writeFile", """
                {"path": "./data.csv", "content": "a,b"}""")));
        for (JsonNode action : ACTIONS) {
            JsonNode args = action.has("triedArgs") ? action.path("triedArgs") : action.path("args");
            String body = execute(action.path("tool").asString(), args.toString());

            Reply reply = frontEnd.post("/execute-tool", body);

            said.append(reply);
            assertThat(reply.status()).as(body + " " + reply).isEqualTo(200);
            assertThat(Seed.complaints("tool-backend/success.json", reply.json()))
                    .isEmpty();
            assertThat(Seed.complaints(action.path("resultSchema"), reply.json().path("result")))
                    .as(reply.toString())
                    .isEmpty();
        }
        assertThat(said).doesNotContain(OutsideWorld.TOKEN);
        assertThat(server.rowsOf(FIRST).toString()).contains("github_merge_pr").doesNotContain(OutsideWorld.TOKEN);
    }

    private static String execute(String tool, String args) {
        return "{\"tool\": \"%s\", \"args\": %s, \"correlationId\": \"0f5f34c2-d3d7-4fc6-9d1c-e4cd735b6880\"}"
                .formatted(tool, args.replace("SERVICES", outside.authority()));
    }

    private static Optional<JsonNode> listed(String name) {
        return frontEnd.get("/tools")
                .json()
                .path("tools")
                .valueStream()
                .filter(tool -> tool.path("name").asString().equals(name))
                .findFirst();
    }
}
