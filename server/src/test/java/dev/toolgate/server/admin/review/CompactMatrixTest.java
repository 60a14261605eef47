package dev.toolgate.server.admin.review;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CompactMatrixTest {
    private static final String MATRIX = "/api/v1/permissions/matrix";
    private static final int MAX_BYTES = 60 * 1024;
    private static final List<String> TOOLS =
            List.of("bash", "file_delete", "file_list", "file_read", "file_write", "http_request");

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

    /** Decisions about calls that meet one condition, another, or none. */
    private record Decisions(String one, String another, String none) {
        static Decisions of(String agent, String tool) {
            return new Decisions(
                    decision(agent, tool, "one"), decision(agent, tool, "another"), decision(agent, tool, "none"));
        }

        List<String> all() {
            return List.of(one, another, none);
        }
    }

    private static String decision(String agent, String tool, String operation) {
        JsonNode answer = server.admin()
                .post("/api/v1/tools/validate", """
                        {"agent_id": "%s", "tool_name": "%s", "operation": "%s"}""".formatted(agent, tool, operation))
                .json();
        return answer.path("requires_approval").asBoolean(false)
                ? "held"
                : answer.path("status").asString();
    }

    @Test
    void every_cell_agrees_with_the_decision_for_random_grants() {
        Random random = new Random(7);
        setRandomGrants(random);

        Matrix matrix = Matrix.read(operator);
        Map<String, Integer> seen = new TreeMap<>();
        for (int agent = 0; agent < 14; agent++) {
            for (String tool : TOOLS) {
                String name = "random_" + agent;
                JsonNode cell = matrix.cell(name, tool);
                String state = cell.path("state").asString();
                assertThat(agrees(state, Decisions.of(name, tool)))
                        .as("%s %s %s %s", name, tool, cell, Decisions.of(name, tool))
                        .isTrue();
                seen.merge(state, 1, Integer::sum);
            }
        }

        assertThat(seen.keySet()).as("every state occurs: %s", seen).hasSize(9);
        assertThat(matrix.meanings().stream()
                        .map(meaning -> meaning.path("source").asString())
                        .distinct())
                .containsExactlyInAnyOrder("none", "own", "group");
    }

    private static boolean agrees(String state, Decisions decisions) {
        TreeSet<String> all = new TreeSet<>(decisions.all());
        return switch (state) {
            case "allowed" -> all.equals(new TreeSet<>(List.of("allowed")));
            case "needs_approval" -> all.equals(new TreeSet<>(List.of("held")));
            case "conditional" -> all.contains("allowed") && !all.contains("held") && isDenied(decisions.none());
            case "conditional_with_approval" -> all.contains("held") && isDenied(decisions.none());
            case "approval_on_condition" ->
                all.contains("held")
                        && !all.contains("denied")
                        && decisions.none().equals("allowed");
            case "unset", "refused", "expired", "used_up" -> all.equals(new TreeSet<>(List.of("denied")));
            default -> throw new AssertionError(state);
        };
    }

    private static boolean isDenied(String decision) {
        return decision.equals("denied");
    }

    private static void setRandomGrants(Random random) {
        List<String> changes = new ArrayList<>();
        for (int group = 0; group < 4; group++) {
            operator.post("/api/v1/groups", "{\"group_id\": \"random_" + group + "\"}");
            for (String tool : TOOLS) {
                if (random.nextInt(3) > 0) {
                    changes.add("{\"group_id\": \"random_%d\", \"tool_name\": \"%s\", %s}"
                            .formatted(group, tool, setting(random)));
                }
            }
        }
        for (int agent = 0; agent < 14; agent++) {
            operator.post("/api/v1/agents", "{\"agent_id\": \"random_" + agent + "\"}");
            for (String tool : TOOLS) {
                if (random.nextInt(3) > 0) {
                    changes.add("{\"agent_id\": \"random_%d\", \"tool_name\": \"%s\", %s}"
                            .formatted(agent, tool, setting(random)));
                }
            }
            for (int group = 0; group < 4; group++) {
                if (random.nextInt(3) == 0) {
                    operator.put("/api/v1/groups/random_" + group + "/members/random_" + agent);
                }
            }
        }
        Reply changed = operator.post("/api/v1/permissions/bulk", "{\"changes\": [" + String.join(",", changes) + "]}");
        assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
        // The API accepts neither an expired grant nor a count of past uses.
        server.database().jdbi().useHandle(handle -> {
            for (String table : List.of("agent_tool_permissions", "group_tool_permissions")) {
                handle.execute("UPDATE " + table
                        + " SET expires_at = now() - interval '1 minute' WHERE expires_at > '2900-01-01'");
            }
            handle.execute("UPDATE grant_uses SET uses = max_uses WHERE max_uses = 2");
        });
    }

    private static String setting(Random random) {
        if (random.nextInt(9) == 0) {
            return "\"allowed\": false";
        }
        String approval = random.nextInt(3) == 0 ? ", \"requires_approval\": true" : "";
        String condition =
                switch (random.nextInt(4)) {
                    case 0 -> ", \"condition\": \"operation == 'one'\"";
                    case 1 -> ", \"condition\": \"operation == 'another'\"";
                    default -> "";
                };
        String end =
                switch (random.nextInt(6)) {
                    case 0 -> ", \"expires_at\": \"2999-01-01T00:00:00Z\"";
                    case 1 -> ", \"expires_at\": \"2899-01-01T00:00:00Z\"";
                    case 2 -> ", \"max_uses\": 2";
                    case 3 -> ", \"max_uses\": 3";
                    default -> "";
                };
        return "\"allowed\": true" + approval + condition + end;
    }

    @Test
    void a_cell_shows_its_source_and_whether_it_expires_soon() {
        operator.post("/api/v1/groups", "{\"group_id\": \"lenders\"}");
        operator.put("/api/v1/groups/lenders/members/borrower");
        operator.put("/api/v1/groups/lenders/permissions/bash", "{\"allowed\": true}");
        operator.put("/api/v1/groups/lenders/permissions/file_list", "{\"allowed\": true}");
        operator.put("/api/v1/groups/lenders/permissions/file_read", "{\"allowed\": false}");
        operator.put("/api/v1/permissions/borrower/file_list", "{\"allowed\": true}");
        operator.put(
                "/api/v1/permissions/borrower/file_write",
                "{\"allowed\": true, \"expires_at\": \"%s\"}"
                        .formatted(Instant.now().plus(Duration.ofDays(3))));
        operator.put("/api/v1/permissions/borrower/no_such_tool", "{\"allowed\": true}");

        Matrix matrix = Matrix.read(operator);

        assertThat(matrix.cell("borrower", "bash").toString()).contains("allowed", "group");
        assertThat(matrix.cell("borrower", "file_list").toString()).contains("allowed", "own");
        assertThat(matrix.cell("borrower", "file_read").toString()).contains("refused", "group");
        assertThat(matrix.cell("borrower", "file_write").path("ends_soon").asBoolean())
                .isTrue();
        assertThat(matrix.cell("borrower", "file_delete").path("state").asString())
                .isEqualTo("unset");
        assertThat(matrix.answer()
                        .path("tools")
                        .valueStream()
                        .filter(tool -> !tool.path("exists").asBoolean())
                        .map(tool -> tool.path("name").asString()))
                .contains("no_such_tool");
        assertThat(matrix.answer().path("groups").toString()).contains("lenders");
    }

    @Test
    void the_etag_changes_only_with_the_content() {
        operator.put("/api/v1/permissions/kept/bash", "{\"allowed\": true, \"max_uses\": 1}");
        String tag = tag(operator.get(MATRIX));
        assertThat(asked(tag).status()).isEqualTo(304);
        assertThat(asked("W/" + tag).status()).isEqualTo(304);
        server.as(ACME, Role.OPERATOR).put("/api/v1/permissions/kept/bash", "{\"allowed\": false}");
        assertThat(asked(tag).status()).as("changed by another tenant").isEqualTo(304);

        operator.post("/api/v1/groups", "{\"group_id\": \"keepers\"}");
        List<Runnable> changes = List.of(
                () -> operator.patch("/api/v1/agents/kept", "{\"name\": \"Kept\"}"),
                () -> operator.put("/api/v1/groups/keepers/members/kept"),
                () -> operator.put("/api/v1/groups/keepers/permissions/bash", "{\"allowed\": false}"),
                () -> operator.put("/api/v1/permissions/kept/file_list", "{\"allowed\": true, \"max_uses\": 1}"),
                () -> server.database()
                        .jdbi()
                        .useHandle(handle -> handle.execute("UPDATE grant_uses SET uses = max_uses")),
                () -> operator.delete("/api/v1/agents/kept"));
        for (Runnable change : changes) {
            change.run();
            Reply again = asked(tag);
            assertThat(again.status())
                    .as("after change %d", changes.indexOf(change))
                    .isEqualTo(200);
            tag = tag(again);
            assertThat(asked(tag).status()).isEqualTo(304);
        }
    }

    private static Reply asked(String tag) {
        return operator.with("If-None-Match", tag).get(MATRIX);
    }

    private static String tag(Reply reply) {
        return reply.header("ETag").orElseThrow();
    }

    @Test
    void another_tenant_sees_none_of_its_agents_and_tools() {
        operator.put("/api/v1/permissions/secretive/hush_tool", "{\"allowed\": true}");

        Reply theirs = server.as(ACME, Role.ADMIN).get(MATRIX);

        assertThat(theirs.status()).isEqualTo(200);
        assertThat(theirs.text()).doesNotContain("secretive", "hush_tool");
        assertThat(tag(theirs)).isNotEqualTo(tag(operator.get(MATRIX)));
    }

    @Test
    void the_matrix_can_be_paged_by_agent() {
        operator.put("/api/v1/permissions/page_1/bash", "{\"allowed\": true}");
        operator.put("/api/v1/permissions/page_2/bash", "{\"allowed\": true}");

        Reply first = operator.get(MATRIX + "?limit=1&after=page_0");
        Reply second = operator.get(first.next().orElseThrow());

        assertThat(first.json().at("/agents/0/agent_id").asString()).isEqualTo("page_1");
        assertThat(second.json().at("/agents/0/agent_id").asString()).isEqualTo("page_2");
        assertThat(tag(first)).isNotEqualTo(tag(second));
        assertThat(operator.get(MATRIX + "?limit=2001").status()).isEqualTo(400);
    }

    @Test
    void a_thousand_agents_and_two_hundred_tools_take_60_kb_compressed() throws IOException {
        server.database().jdbi().useHandle(handle -> {
            handle.execute("SELECT setseed(0.5)");
            handle.execute("INSERT INTO tenants VALUES ('large', 'Large')");
            handle.execute("""
                    INSERT INTO agents (tenant_id, agent_id, name)
                    SELECT 'large', 'agent_' || n || '_' || substr(md5(n::text), 1, 6), 'Agent ' || n
                    FROM generate_series(1, 1000) n""");
            handle.execute("INSERT INTO agent_groups SELECT 'large', 'group_' || n FROM generate_series(1, 25) n");
            handle.execute("""
                    INSERT INTO agent_group_members (tenant_id, group_id, agent_id)
                    SELECT 'large', 'group_' || (1 + floor(random() * 25)), agent_id FROM agents, generate_series(1, 2)
                    WHERE tenant_id = 'large' ON CONFLICT DO NOTHING""");
            handle.execute("""
                    INSERT INTO group_tool_permissions (tenant_id, group_id, tool_name, allowed, requires_approval)
                    SELECT 'large', group_id, 'tool_' || n, random() < 0.9, false FROM agent_groups, generate_series(1, 180) n
                    WHERE tenant_id = 'large' AND random() < 0.3""");
            handle.execute("""
                    INSERT INTO agent_tool_permissions
                        (tenant_id, agent_id, tool_name, allowed, requires_approval, condition, max_uses)
                    SELECT 'large', agent_id, 'tool_' || n, true, random() < 0.3,
                        CASE WHEN random() < 0.3 THEN 'operation == ''read''' END, CASE WHEN random() < 0.2 THEN 5 END
                    FROM agents, generate_series(1, 180) n WHERE tenant_id = 'large' AND random() < 0.05""");
        });
        Client reader = server.withKey(server.key(new TenantId("large"), Role.AUDITOR, null));

        Reply reply = reader.get(MATRIX);

        JsonNode matrix = reply.json();
        assertThat(matrix.path("agents")).hasSize(1000);
        assertThat(matrix.path("tools").size()).isGreaterThanOrEqualTo(200);
        assertThat(matrix.at("/agents/0/cells").asString())
                .hasSize(matrix.path("tools").size());
        assertThat(compressed(reply.text())).isLessThan(MAX_BYTES);
    }

    private static int compressed(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.size();
    }

    /** A matrix as any client reads it, by its legend. */
    private record Matrix(JsonNode answer) {
        static Matrix read(Client client) {
            return new Matrix(client.get(MATRIX).json());
        }

        JsonNode cell(String agent, String tool) {
            List<String> names = answer.path("tools")
                    .valueStream()
                    .map(column -> column.path("name").asString())
                    .toList();
            JsonNode row = answer.path("agents")
                    .valueStream()
                    .filter(line -> line.path("agent_id").asString().equals(agent))
                    .findFirst()
                    .orElseThrow();
            String letter = row.path("cells").asString().substring(names.indexOf(tool), names.indexOf(tool) + 1);
            return answer.path("legend").path(letter);
        }

        List<JsonNode> meanings() {
            return answer.path("agents")
                    .valueStream()
                    .flatMap(row -> row.path("cells").asString().chars().mapToObj(Character::toString))
                    .distinct()
                    .map(answer.path("legend")::path)
                    .toList();
        }
    }
}
