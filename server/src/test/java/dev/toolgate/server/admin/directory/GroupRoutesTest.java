package dev.toolgate.server.admin.directory;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class GroupRoutesTest {
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
    void members_may_use_the_tools_of_a_group_until_they_leave() {
        Reply made = operator.post("/api/v1/groups", "{\"group_id\": \"team\", \"description\": \"Team\"}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.header("Location")).contains("/api/v1/groups/team");
        Reply set = operator.put(
                "/api/v1/groups/team/permissions/readFile", "{\"allowed\": true, \"reason\": \"all read\"}");
        assertThat(set.json().path("tool_name").asString()).isEqualTo("file_read");
        assertThat(set.json().path("group_id").asString()).isEqualTo("team");
        assertThat(operator.get("/api/v1/tools/permissions/joe").text()).isEqualTo("[]");

        assertThat(operator.put("/api/v1/groups/team/members/joe?reason=joined").status())
                .isEqualTo(204);
        assertThat(operator.get("/api/v1/tools/permissions/joe").text()).isEqualTo("[\"file_read\"]");
        JsonNode team = operator.get("/api/v1/groups/team").json();
        assertThat(team.path("description").asString()).isEqualTo("Team");
        assertThat(team.path("member_count").asInt()).isEqualTo(1);
        assertThat(team.path("members").toString()).isEqualTo("[\"joe\"]");
        assertThat(team.at("/permissions/file_read/allowed").asBoolean()).isTrue();

        assertThat(operator.delete("/api/v1/groups/team/members/joe?reason=left")
                        .status())
                .isEqualTo(204);
        assertThat(operator.get("/api/v1/tools/permissions/joe").text()).isEqualTo("[]");
        assertThat(operator.get("/api/v1/permissions/changes?group_id=team").each("reason"))
                .containsExactly("left", "joined", "all read");
        assertThat(operator.delete("/api/v1/groups/team/members/joe").status()).isEqualTo(404);
    }

    @Test
    void deleting_a_group_removes_its_permissions_from_the_members() {
        operator.post("/api/v1/groups", "{\"group_id\": \"gone\"}");
        operator.put("/api/v1/groups/gone/permissions/a%2Fb", "{\"allowed\": true}");
        operator.put("/api/v1/groups/gone/members/jim");
        assertThat(operator.get("/api/v1/tools/permissions/jim").text()).isEqualTo("[\"a/b\"]");

        assertThat(operator.delete("/api/v1/groups/gone?reason=disbanded").status())
                .isEqualTo(204);

        assertThat(operator.get("/api/v1/tools/permissions/jim").text()).isEqualTo("[]");
        assertThat(operator.get("/api/v1/groups/gone").status()).isEqualTo(404);
        assertThat(operator.get("/api/v1/permissions/changes?group_id=gone&limit=2")
                        .each("reason"))
                .containsOnly("disbanded");
        assertThat(operator.delete("/api/v1/groups/gone").status()).isEqualTo(404);
    }

    @Test
    void clearing_a_group_permission_twice_is_not_found() {
        operator.post("/api/v1/groups", "{\"group_id\": \"cleared\"}");
        operator.put("/api/v1/groups/cleared/permissions/bash", "{\"allowed\": true}");

        assertThat(operator.delete("/api/v1/groups/cleared/permissions/RunCommand")
                        .status())
                .isEqualTo(204);
        assertThat(operator.delete("/api/v1/groups/cleared/permissions/bash").status())
                .isEqualTo(404);
        assertThat(operator.get("/api/v1/groups/cleared").json().path("permissions"))
                .isEmpty();
    }

    @Test
    void a_group_is_created_once_and_its_description_can_be_changed() {
        assertThat(operator.post("/api/v1/groups", "{\"group_id\": \"one\", \"description\": \"a\"}")
                        .status())
                .isEqualTo(201);

        Reply again = operator.post("/api/v1/groups", "{\"group_id\": \"one\", \"description\": \"b\"}");
        assertThat(again.status()).isEqualTo(409);
        assertThat(operator.get("/api/v1/groups/one").json().path("description").asString())
                .isEqualTo("a");

        assertThat(operator.patch("/api/v1/groups/one", "{\"description\": \"c\"}")
                        .json()
                        .path("description")
                        .asString())
                .isEqualTo("c");
        assertThat(operator.patch("/api/v1/groups/one", "{}").status()).isEqualTo(200);
        assertThat(operator.get("/api/v1/groups/one").json().path("description").asString())
                .isEqualTo("c");
    }

    @Test
    void requests_for_an_unknown_group_are_not_found() {
        assertThat(operator.get("/api/v1/groups/none").status()).isEqualTo(404);
        assertThat(operator.patch("/api/v1/groups/none", "{\"description\": \"x\"}")
                        .status())
                .isEqualTo(404);
        Reply member = operator.put("/api/v1/groups/none/members/joan");
        assertThat(member.status()).isEqualTo(404);
        assertThat(member.message()).isEqualTo("There is no group 'none'.");
        assertThat(operator.get("/api/v1/agents/joan").status()).isEqualTo(404);
        assertThat(operator.put("/api/v1/groups/none/permissions/bash", "{\"allowed\": true}")
                        .status())
                .isEqualTo(404);
        assertThat(operator.post("/api/v1/groups", "{\"group_id\": \" \"}").status())
                .isEqualTo(400);
    }
}
