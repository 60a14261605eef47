package dev.toolgate.server.admin.directory;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class AgentRoutesTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client operator;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        operator = server.as(FIRST, Role.OPERATOR);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_new_agent_is_found_under_its_location_and_may_do_nothing() {
        Reply made = operator.post("/api/v1/agents", "{\"agent_id\": \"a/b c\", \"name\": \"Abc\"}");

        assertThat(made.status()).isEqualTo(201);
        assertThat(made.header("Location")).contains("/api/v1/agents/a%2Fb%20c");
        Reply found = operator.get(made.header("Location").orElseThrow());
        assertThat(found.json()).isEqualTo(made.json());
        assertThat(found.json().path("name").asString()).isEqualTo("Abc");
        assertThat(found.json().path("description").isNull()).isTrue();
        assertThat(operator.get("/api/v1/tools/permissions/a%2Fb%20c").text()).isEqualTo("[]");
        assertThat(operator.get("/api/v1/permissions/a%2Fb%20c").json().path("permissions"))
                .isEmpty();
        assertThat(validate("a/b c").path("status").asString()).isEqualTo("denied");
    }

    @Test
    void the_default_trust_level_is_guided() {
        assertThat(operator.post("/api/v1/agents", "{\"agent_id\": \"usual\"}")
                        .json()
                        .path("trust_level")
                        .asString())
                .isEqualTo("guided");
        Reply made = operator.post("/api/v1/agents", "{\"agent_id\": \"watched\", \"trust_level\": \"supervised\"}");
        assertThat(made.json().path("trust_level").asString()).isEqualTo("supervised");

        operator.patch("/api/v1/agents/watched", "{\"name\": \"W\"}");
        assertThat(operator.get("/api/v1/agents/watched")
                        .json()
                        .path("trust_level")
                        .asString())
                .isEqualTo("supervised");
        operator.patch("/api/v1/agents/watched", "{\"trust_level\": \"autonomous\"}");
        assertThat(operator.get("/api/v1/agents/watched")
                        .json()
                        .path("trust_level")
                        .asString())
                .isEqualTo("autonomous");
        assertThat(operator.patch("/api/v1/agents/watched", "{\"trust_level\": \"blind\"}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void an_agent_can_be_created_with_a_template() {
        Reply made = operator.post(
                "/api/v1/agents",
                "{\"agent_id\": \"reader\", \"template\": \"Reviewer\", \"reason\": \"joined the team\"}");

        assertThat(made.status()).isEqualTo(201);
        assertThat(operator.get("/api/v1/tools/permissions/reader").text()).contains("file_read");
        assertThat(validate("reader").path("status").asString()).isEqualTo("allowed");
        JsonNode changes =
                operator.get("/api/v1/permissions/changes?agent_id=reader").json();
        assertThat(changes.valueStream().map(change -> change.path("tool_name").asString()))
                .contains("*", "file_read");
        assertThat(changes.valueStream().map(change -> change.path("reason").asString()))
                .containsOnly("joined the team");
        assertThat(changes.valueStream().map(change -> change.path("changed_by").asString()))
                .containsOnly(operator.get("/api/v1/whoami").json().path("name").asString());
    }

    @Test
    void an_unknown_template_creates_no_agent() {
        Reply refused = operator.post("/api/v1/agents", "{\"agent_id\": \"halfway\", \"template\": \"wizard\"}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.message())
                .startsWith("There is no such template; there are ")
                .contains("reviewer");
        assertThat(operator.get("/api/v1/agents/halfway").status()).isEqualTo(404);
    }

    @Test
    void an_agent_id_cannot_be_used_twice() {
        operator.post("/api/v1/agents", "{\"agent_id\": \"once\", \"name\": \"first\"}");

        Reply again = operator.post("/api/v1/agents", "{\"agent_id\": \"once\", \"template\": \"full-access\"}");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.message()).isEqualTo("There is an agent 'once' already.");
        assertThat(operator.get("/api/v1/agents/once").json().path("name").asString())
                .isEqualTo("first");
        assertThat(operator.get("/api/v1/tools/permissions/once").text()).isEqualTo("[]");
    }

    @Test
    void a_patch_changes_what_it_names_and_nothing_else() {
        operator.post("/api/v1/agents", "{\"agent_id\": \"patched\", \"name\": \"n\", \"description\": \"d\"}");

        assertThat(operator.patch("/api/v1/agents/patched", "{\"name\": \"m\"}").status())
                .isEqualTo(200);
        operator.patch("/api/v1/agents/patched", "{\"description\": null}");

        JsonNode agent = operator.get("/api/v1/agents/patched").json();
        assertThat(agent.path("name").asString()).isEqualTo("m");
        assertThat(agent.path("description").isNull()).isTrue();
        assertThat(operator.patch("/api/v1/agents/patched", "{\"agent_id\": \"other\"}")
                        .status())
                .isEqualTo(400);
        assertThat(operator.patch("/api/v1/agents/nobody", "{}").status()).isEqualTo(404);
    }

    @Test
    void deleting_an_agent_removes_grants_and_keys_but_keeps_the_history() {
        operator.post("/api/v1/agents", "{\"agent_id\": \"leaver\", \"template\": \"reviewer\"}");
        Client itself = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("leaver")));
        assertThat(itself.get("/api/v1/whoami").status()).isEqualTo(200);

        assertThat(operator.delete("/api/v1/agents/leaver?reason=left").status())
                .isEqualTo(204);

        assertThat(itself.get("/api/v1/whoami").status()).isEqualTo(401);
        assertThat(operator.get("/api/v1/agents/leaver").status()).isEqualTo(404);
        assertThat(operator.get("/api/v1/tools/permissions/leaver").text()).isEqualTo("[]");
        assertThat(operator.get("/api/v1/permissions/changes?agent_id=leaver&tool_name=file_read")
                        .each("reason"))
                .first()
                .isEqualTo("left");
        assertThat(operator.delete("/api/v1/agents/leaver").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | Missing required field: agent_id.",
                "{\"agent_id\": \"\"} | id must be",
                "{\"agent_id\": \"a\\u0000\"} | id must be",
                "{\"agent_id\": \"\\ud800\"} | Field 'agent_id' contains an unpaired surrogate",
                "{\"agent_id\": 5} | Field 'agent_id' must be text, not a whole number.",
                "{\"agent_id\": \"x\", \"tenant_id\": \"acme\"} | Unknown field 'tenant_id'",
                "{\"agent_id\": \"x\", \"name\": \"a\\u0000\"} | no NUL character",
            })
    void invalid_agents_are_refused_with_the_field(String body, String message) {
        Reply refused = operator.post("/api/v1/agents", body);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.message()).contains(message);
    }

    private static JsonNode validate(String agent) {
        return server.as(FIRST, Role.ORCHESTRATOR)
                .post("/api/v1/tools/validate", """
                        {"agent_id": "%s", "tool_name": "file_read"}""".formatted(agent))
                .json();
    }
}
