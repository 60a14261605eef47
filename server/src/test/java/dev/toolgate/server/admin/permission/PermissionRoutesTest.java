package dev.toolgate.server.admin.permission;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class PermissionRoutesTest {
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
    void a_grant_and_its_removal_take_effect_with_the_next_call() {
        Client agent = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("worker")));
        String call = """
                {"request_id": "%s", "agent_id": "worker", "tool_name": "file_list", "operation": "list",
                 "parameters": {"path": "."}}""";
        assertThat(agent.post("/api/v1/tools/execute", call.formatted("r1")).status())
                .isEqualTo(403);

        assertThat(operator.put("/api/v1/permissions/worker/file_list", "{\"allowed\": true}")
                        .status())
                .isEqualTo(200);
        assertThat(agent.post("/api/v1/tools/execute", call.formatted("r2")).status())
                .isEqualTo(200);

        assertThat(operator.delete("/api/v1/permissions/worker/file_list").status())
                .isEqualTo(204);
        assertThat(agent.post("/api/v1/tools/execute", call.formatted("r3")).status())
                .isEqualTo(403);
    }

    @Test
    void an_agent_may_be_named_like_a_route_segment() {
        Set<String> words = server.routes().stream()
                .map(route -> route.path().text())
                .filter(path -> path.startsWith("/api/v1/permissions/") || path.startsWith("/api/v1/agents/"))
                .map(path -> path.split("/")[4])
                .filter(word -> !word.startsWith("{"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(words).contains("matrix", "proposals", "usage", "changes");
        words.addAll(Set.of("permissions", "template", "a/b"));

        for (String agent : words) {
            String segment = URLEncoder.encode(agent, StandardCharsets.UTF_8);
            Reply set = operator.put("/api/v1/permissions/" + segment + "/file_list", "{\"allowed\": true}");
            assertThat(set.status()).as(set.toString()).isEqualTo(200);
            JsonNode shown =
                    operator.get("/api/v1/agents/" + segment + "/permissions").json();
            assertThat(shown.path("agent_id").asString()).isEqualTo(agent);
            assertThat(shown.path("permissions").toString()).contains("\"file_list\"");
            assertThat(operator.delete("/api/v1/permissions/" + segment + "/file_list")
                            .status())
                    .isEqualTo(204);
        }
    }

    @Test
    void a_permission_shows_its_terms_and_author() {
        Reply set = operator.put("/api/v1/permissions/ann/ReadFile", """
                {"allowed": true, "requires_approval": true, "condition": "project == 'p'",
                 "condition_examples": {"matches": [{"project": "p"}], "does_not_match": [{"project": "q"}]},
                 "expires_at": "2999-01-01T00:00:00Z", "max_uses": 3, "notes": "for the audit", "reason": "asked for"}""");

        assertThat(set.status()).as(set.toString()).isEqualTo(200);
        JsonNode cell = set.json();
        assertThat(cell.path("agent_id").asString()).isEqualTo("ann");
        assertThat(cell.path("tool_name").asString())
                .as("the alias is resolved to the tool")
                .isEqualTo("file_read");
        assertThat(cell.path("allowed").asBoolean()).isTrue();
        assertThat(cell.path("state").asString()).isEqualTo("allowed");
        assertThat(cell.path("requires_approval").asBoolean()).isTrue();
        assertThat(cell.path("condition").asString()).isEqualTo("project == 'p'");
        assertThat(cell.at("/condition_examples/does_not_match/0/project").asString())
                .isEqualTo("q");
        assertThat(cell.path("expires_at").asString()).isEqualTo("2999-01-01T00:00:00Z");
        assertThat(cell.path("max_uses").asInt()).isEqualTo(3);
        assertThat(cell.path("uses").asInt()).isZero();
        assertThat(cell.path("notes").asString()).isEqualTo("for the audit");
        assertThat(cell.path("updated_by").asString()).isEqualTo(me());

        JsonNode change = operator.get("/api/v1/permissions/changes?agent_id=ann&tool_name=readFile")
                .json()
                .get(0);
        assertThat(change.path("reason").asString()).isEqualTo("asked for");
        assertThat(change.path("changed_by").asString()).isEqualTo(me());
        assertThat(change.path("previous_state").isNull()).isTrue();
        assertThat(change.path("new_state").asBoolean()).isTrue();
        assertThat(change.at("/details/condition").asString()).isEqualTo("project == 'p'");
        assertThat(change.at("/details/max_uses").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bulk", "changes", "explain", "matrix", "proposals", "simulate", "usage"})
    void an_agent_with_the_name_of_a_path_is_reached_by_another_path(String agent) {
        assertThat(operator.put("/api/v1/permissions/" + agent + "/bash", "{\"allowed\": false}")
                        .status())
                .isEqualTo(200);

        JsonNode effective =
                operator.get("/api/v1/agents/" + agent + "/permissions").json();

        assertThat(effective.path("agent_id").asString()).isEqualTo(agent);
        assertThat(effective.at("/permissions/0/tool_name").asString()).isEqualTo("bash");
        assertThat(operator.delete("/api/v1/permissions/" + agent + "/bash").status())
                .isEqualTo(204);
    }

    @Test
    void the_matrix_has_every_tool_and_the_permissions_of_every_agent() {
        operator.put("/api/v1/permissions/mat/github%2Fcreate_issue", "{\"allowed\": true, \"notes\": \"n\"}");
        operator.put("/api/v1/permissions/mat/bash", "{\"allowed\": false, \"notes\": \"never\"}");
        operator.post("/api/v1/groups", "{\"group_id\": \"mats\"}");
        operator.put("/api/v1/groups/mats/members/mat");
        operator.patch("/api/v1/agents/mat", "{\"name\": \"Mat\"}");

        JsonNode matrix = operator.get("/api/v1/permissions?limit=1&after=mas").json();

        assertThat(matrix.path("tools").valueStream().map(JsonNode::asString))
                .contains("file_read", "bash", "github/create_issue")
                .isSorted();
        JsonNode row = matrix.at("/agents/0");
        assertThat(row.path("agent_id").asString()).isEqualTo("mat");
        assertThat(row.path("name").asString()).isEqualTo("Mat");
        assertThat(row.path("groups").toString()).isEqualTo("[\"mats\"]");
        assertThat(row.path("permissions").propertyNames()).containsExactly("bash", "github/create_issue");
        assertThat(row.at("/permissions/bash/allowed").asBoolean()).isFalse();
        assertThat(row.at("/permissions/bash/notes").asString()).isEqualTo("never");
        assertThat(row.at("/permissions/github~1create_issue/updated_by").asString())
                .isEqualTo(me());
    }

    @Test
    void effective_permissions_are_shown_with_their_sources() {
        operator.post("/api/v1/groups", "{\"group_id\": \"writers\"}");
        operator.put("/api/v1/groups/writers/permissions/file_write", "{\"allowed\": true}");
        operator.put("/api/v1/groups/writers/permissions/bash", "{\"allowed\": true}");
        operator.put("/api/v1/groups/writers/members/eve");
        operator.put("/api/v1/permissions/eve/bash", "{\"allowed\": false}");

        JsonNode eve = operator.get("/api/v1/permissions/eve").json();

        assertThat(eve.path("groups").toString()).isEqualTo("[\"writers\"]");
        JsonNode bash = eve.at("/permissions/0");
        assertThat(bash.path("tool_name").asString()).isEqualTo("bash");
        assertThat(bash.path("allowed").asBoolean()).isFalse();
        assertThat(bash.path("state").asString()).isEqualTo("refused");
        assertThat(bash.path("sources").valueStream().map(source -> source.path("source")
                        .asString()))
                .containsExactly("agent", "group");
        JsonNode write = eve.at("/permissions/1");
        assertThat(write.path("allowed").asBoolean()).isTrue();
        assertThat(write.at("/sources/0/group_id").asString()).isEqualTo("writers");
        assertThat(operator.get("/api/v1/permissions/nobody").status()).isEqualTo(404);
    }

    @Test
    void a_tool_name_with_an_encoded_slash_is_set_and_cleared() {
        Reply set = operator.put("/api/v1/permissions/mcp/files%2Fread", "{\"allowed\": true}");

        assertThat(set.status()).as(set.toString()).isEqualTo(200);
        assertThat(set.json().path("tool_name").asString()).isEqualTo("files/read");
        assertThat(operator.get("/api/v1/tools/permissions/mcp").text()).isEqualTo("[\"files/read\"]");
        assertThat(operator.put("/api/v1/permissions/mcp/files/read", "{\"allowed\": true}")
                        .status())
                .isEqualTo(404);
        assertThat(operator.delete("/api/v1/permissions/mcp/files%2Fread?reason=done")
                        .status())
                .isEqualTo(204);
        assertThat(operator.get("/api/v1/tools/permissions/mcp").text()).isEqualTo("[]");
        assertThat(operator.get("/api/v1/permissions/changes?agent_id=mcp&tool_name=files/read")
                        .each("reason"))
                .containsExactly("done", "");
    }

    @Test
    void clearing_a_missing_permission_is_404_and_creates_no_agent() {
        assertThat(operator.delete("/api/v1/permissions/ghost/bash").status()).isEqualTo(404);
        assertThat(operator.get("/api/v1/agents/ghost").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"condition\": \"project = 'p'\" | at position 1:9",
                "\"condition\": \"true &&\\n nonsense\" | at position 2:2",
                "\"condition\": \"true\", \"condition_examples\": {\"does_not_match\": [{}]} | Example 1 of 'does_not_match'",
                "\"expires_at\": \"2020-01-01T00:00:00Z\" | Field 'expires_at' must be in the future",
            })
    void contradictory_or_expired_terms_are_a_conflict(String terms, String message) {
        Reply refused = operator.put("/api/v1/permissions/untouched/bash", "{\"allowed\": true, " + terms + "}");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
        assertThat(refused.message()).contains(message);
        assertThat(operator.get("/api/v1/agents/untouched").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | Missing required field: allowed.",
                "{\"allowed\": \"yes\"} | Field 'allowed' must be true or false, not text.",
                "{\"allowed\": true, \"condition_examples\": {\"matches\": [{}]}} | Field 'condition_examples' needs a 'condition'",
                "{\"allowed\": true, \"expires_at\": \"+12000-01-01T00:00:00Z\"} | Field 'expires_at' must be a time such as",
                "{\"allowed\": true, \"expires_at\": \"tomorrow\"} | Field 'expires_at' must be a time such as",
                "{\"allowed\": true, \"max_uses\": 0} | at least 1",
                "{\"allowed\": true, \"notes\": \"a\\u0000\"} | The notes must be",
                "{\"allowed\": true, \"reason\": \"a\\u0000\"} | The reason must be",
                "{\"allowed\": false, \"max_uses\": 3} | A refusal takes no terms",
                "{\"allowed\": true, \"uses\": 0} | Unknown field 'uses'",
            })
    void invalid_terms_are_refused_and_nothing_is_set(String body, String message) {
        Reply refused = operator.put("/api/v1/permissions/untouched/bash", body);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.message()).contains(message);
        assertThat(operator.get("/api/v1/agents/untouched").status()).isEqualTo(404);
    }

    @Test
    void many_changes_are_made_at_once_and_logged_with_one_reason() {
        operator.post("/api/v1/groups", "{\"group_id\": \"bulked\"}");
        String changes = IntStream.range(0, 200)
                .mapToObj(
                        i -> "{\"agent_id\": \"bulk%d\", \"tool_name\": \"readFile\", \"allowed\": true}".formatted(i))
                .collect(Collectors.joining(","));

        Reply made = operator.post("/api/v1/permissions/bulk", """
                {"reason": "spring cleaning", "changes": [%s,
                    {"group_id": "bulked", "tool_name": "bash", "allowed": false, "notes": "n"},
                    {"agent_id": "bulk7", "tool_name": "file_read", "clear": true}]}""".formatted(changes));

        assertThat(made.text()).isEqualTo("{\"changed\":202,\"warnings\":[]}");
        assertThat(operator.get("/api/v1/tools/permissions/bulk8").text()).isEqualTo("[\"file_read\"]");
        assertThat(operator.get("/api/v1/tools/permissions/bulk7").text()).isEqualTo("[]");
        assertThat(operator.get("/api/v1/groups/bulked")
                        .json()
                        .at("/permissions/bash/notes")
                        .asString())
                .isEqualTo("n");
        assertThat(operator.get("/api/v1/permissions/changes?limit=202").each("reason"))
                .hasSize(202)
                .containsOnly("spring cleaning");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"group_id\": \"nowhere\", \"tool_name\": \"bash\", \"allowed\": true} | 409 | There is no group 'nowhere'.",
                "{\"agent_id\": \"b\", \"tool_name\": \"bash\", \"allowed\": true, \"condition\": \"1 +\"} | 409 | For tool 'bash': The condition",
                "{\"agent_id\": \"b\", \"tool_name\": \"\", \"allowed\": true} | 400 | Field 'changes[1]': A tool name must be",
                "{\"agent_id\": \"b\", \"tool_name\": \"bash\", \"allowed\": true, \"max_uses\": 0} | 400 | Field 'changes[1]': The number of uses",
                "{\"agent_id\": \"b\", \"tool_name\": \"bash\", \"allowed\": true, \"clear\": true} | 400 | Field 'changes[1]': Give either 'allowed' or 'clear'",
                "{\"agent_id\": \"b\", \"group_id\": \"g\", \"tool_name\": \"bash\", \"allowed\": true} | 400 | Field 'changes[1]': Give either 'agent_id' or 'group_id'",
                "{\"agent_id\": \"b\", \"allowed\": true} | 400 | Missing required field: changes[1].tool_name.",
            })
    void if_one_of_many_changes_is_wrong_none_is_made(String wrong, int status, String message) {
        Reply refused = operator.post("/api/v1/permissions/bulk", """
                {"changes": [{"agent_id": "unbulked", "tool_name": "bash", "allowed": true}, %s]}""".formatted(wrong));

        assertThat(refused.status()).as(refused.toString()).isEqualTo(status);
        assertThat(refused.message()).contains(message);
        assertThat(operator.get("/api/v1/agents/unbulked").status()).isEqualTo(404);
    }

    @Test
    void more_than_ten_thousand_changes_are_too_many() {
        String changes = IntStream.rangeClosed(0, 10_000)
                .mapToObj(i -> "{\"agent_id\": \"m\", \"tool_name\": \"t%d\", \"allowed\": true}".formatted(i))
                .collect(Collectors.joining(","));

        Reply refused = operator.post("/api/v1/permissions/bulk", "{\"changes\": [" + changes + "]}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("At most 10000 changes can be made at once.");
        assertThat(operator.get("/api/v1/agents/m").status()).isEqualTo(404);
    }

    @Test
    void templates_are_listed_and_add_missing_grants_only() {
        assertThat(operator.get("/api/v1/templates").each("name"))
                .contains("Standard Backend Dev", "Standard Frontend Dev", "Researcher", "Data Analyst", "Full Access");
        operator.put("/api/v1/permissions/temp/file_list", "{\"allowed\": false}");

        Reply applied = operator.post(
                "/api/v1/agents/temp/template", "{\"template\": \"researcher\", \"reason\": \"new task\"}");

        assertThat(applied.status()).isEqualTo(200);
        assertThat(applied.json().path("added").valueStream().map(JsonNode::asString))
                .contains("file_read", "web_search")
                .doesNotContain("file_list");
        assertThat(operator.get("/api/v1/permissions/changes?agent_id=temp&tool_name=web_search")
                        .each("reason"))
                .containsExactly("new task");
        assertThat(operator.post("/api/v1/agents/nobody/template", "{\"template\": \"researcher\"}")
                        .status())
                .isEqualTo(404);
        assertThat(operator.post("/api/v1/agents/temp/template", "{\"template\": \"wizard\"}")
                        .status())
                .isEqualTo(409);
    }

    private static String me() {
        return operator.get("/api/v1/whoami").json().path("name").asString();
    }
}
