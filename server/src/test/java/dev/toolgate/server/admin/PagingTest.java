package dev.toolgate.server.admin;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class PagingTest {
    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client admin;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
        admin = server.as(FIRST, Role.ADMIN);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void agents_are_listed_once_despite_concurrent_changes() {
        for (String id : List.of("p b", "p/d", "p&f", "pÜ", "pz")) {
            agent(id);
        }
        List<String> seen = new ArrayList<>();

        String next = "/api/v1/agents?limit=2";
        for (int page = 0; next != null; page++) {
            Reply reply = admin.get(next);
            seen.addAll(reply.each("agent_id"));
            agent("a" + page); // sorts before all others
            admin.delete("/api/v1/agents/p%20b");
            next = reply.next().orElse(null);
        }

        assertThat(seen).contains("p b", "p/d", "p&f", "pÜ", "pz").doesNotHaveDuplicates();
    }

    @Test
    void the_matrix_is_paged_by_agent() {
        List.of("m1", "m2", "m3", "m4").forEach(PagingTest::agent);
        admin.put("/api/v1/permissions/m3/bash", "{\"allowed\": true}");

        List<JsonNode> rows = walk(
                "/api/v1/permissions?limit=2&after=m", reply -> reply.json().path("agents"));

        assertThat(rows.stream().map(row -> row.path("agent_id").asString()).filter(id -> id.matches("m\\d")))
                .containsExactly("m1", "m2", "m3", "m4");
        assertThat(rows.stream()
                        .filter(row -> row.at("/permissions/bash/allowed").asBoolean(false)))
                .hasSize(1);
    }

    @Test
    void changes_are_paged_newest_first_with_their_filter_while_new_ones_come() {
        for (int i = 0; i < 5; i++) {
            admin.put("/api/v1/permissions/changing/t" + i, "{\"allowed\": true}");
        }
        List<String> seen = new ArrayList<>();

        String next = "/api/v1/permissions/changes?agent_id=changing&limit=2";
        while (next != null) {
            Reply reply = admin.get(next);
            seen.addAll(reply.each("tool_name"));
            admin.put("/api/v1/permissions/changing/later", "{\"allowed\": true}");
            admin.put("/api/v1/permissions/somebody_else/t1", "{\"allowed\": true}");
            next = reply.next().orElse(null);
        }

        assertThat(seen).containsExactly("t4", "t3", "t2", "t1", "t0");
    }

    @Test
    void keys_are_paged_newest_first_while_new_ones_come() {
        for (int i = 0; i < 5; i++) {
            admin.post("/api/v1/keys", "{\"role\": \"auditor\", \"name\": \"k%d\"}".formatted(i));
        }
        List<String> seen = new ArrayList<>();

        String next = "/api/v1/keys?limit=2";
        while (next != null) {
            Reply reply = admin.get(next);
            seen.addAll(reply.each("name"));
            admin.post("/api/v1/keys", "{\"role\": \"auditor\", \"name\": \"later\"}");
            next = reply.next().orElse(null);
        }

        assertThat(seen).startsWith("k4", "k3", "k2", "k1", "k0").doesNotContain("later");
    }

    @Test
    void groups_and_their_members_are_paged() {
        List.of("g1", "g/2", "g3").forEach(id -> admin.post("/api/v1/groups", "{\"group_id\": \"%s\"}".formatted(id)));
        List.of("x1", "x2", "x3").forEach(id -> admin.put("/api/v1/groups/g%2F2/members/" + id));

        assertThat(walk("/api/v1/groups?limit=1", Reply::json).stream()
                        .map(group -> group.path("group_id").asString()))
                .containsExactlyInAnyOrder("g1", "g/2", "g3");
        assertThat(walk("/api/v1/groups/g%2F2?limit=2", reply -> reply.json().path("members")).stream()
                        .map(JsonNode::asString))
                .containsExactly("x1", "x2", "x3");
    }

    @Test
    void an_exactly_full_last_page_has_no_next_link() {
        List.of("z1", "z2").forEach(PagingTest::agent);

        Reply page = admin.get("/api/v1/agents?after=z&limit=2");

        assertThat(page.each("agent_id")).containsExactly("z1", "z2");
        assertThat(page.next()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/agents?limit=0",
                "/api/v1/agents?limit=501",
                "/api/v1/agents?offset=5",
                "/api/v1/permissions/changes?after=x",
                "/api/v1/permissions/changes?agent_id=%20",
            })
    void invalid_paging_parameters_are_refused(String path) {
        assertThat(admin.get(path).status()).isEqualTo(400);
    }

    private static List<JsonNode> walk(String first, Function<Reply, JsonNode> entries) {
        List<JsonNode> all = new ArrayList<>();
        String next = first;
        while (next != null) {
            Reply reply = admin.get(next);
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            entries.apply(reply).forEach(all::add);
            next = reply.next().orElse(null);
        }
        return all;
    }

    private static void agent(String id) {
        assertThat(admin.post("/api/v1/agents", "{\"agent_id\": \"%s\"}".formatted(id))
                        .status())
                .isEqualTo(201);
    }
}
