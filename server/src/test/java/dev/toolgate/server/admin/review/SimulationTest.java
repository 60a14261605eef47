package dev.toolgate.server.admin.review;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.openapi.DocumentedEvents;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SimulationTest {
    private static final String SIMULATE = "/api/v1/permissions/simulate";
    private static final int AGENTS = 40;
    private static final int TOOLS = 25;
    private static final int GROUPS = 6;

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client admin;

    /** A tool that does nothing. */
    private record IdleTool(ToolSpec<Arguments> spec) implements Tool<IdleTool.Arguments> {
        record Arguments(
                @Param("A text") String text,
                @Param("A secret") @Nullable String token) {}

        static IdleTool named(String name) {
            return new IdleTool(ToolSpec.of(name, Arguments.class, Category.EXEC, "Idle.Use", "Does nothing"));
        }

        @Override
        public Output call(Arguments arguments, ToolContext context) {
            return Output.text("done");
        }
    }

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(
                home,
                Map.of("limits.refused.calls", "0"),
                IntStream.range(0, TOOLS)
                        .mapToObj(tool -> IdleTool.named("idle_" + tool))
                        .toArray(Tool[]::new));
        admin = server.admin();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private record Made(String agent, String tool, String operation, String text) {
        String decision(String requestId) {
            return decided(admin, requestId, agent, tool, operation, "{\"text\": \"" + text + "\"}");
        }
    }

    private static String decided(
            Client client, String requestId, String agent, String tool, String operation, String parameters) {
        Reply reply = client.with("Prefer", "respond-async")
                .post("/api/v1/tools/execute", """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "%s", "operation": "%s", "parameters": %s}""".formatted(requestId, agent, tool, operation, parameters));
        return switch (reply.status()) {
            case 200 -> "allowed";
            case 202 -> "needs_approval";
            case 403 -> "denied";
            default -> throw new AssertionError(reply.toString());
        };
    }

    private static JsonNode simulated(Client client, String draft) {
        Reply reply = client.post(SIMULATE, draft);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json();
    }

    /** The calls whose decision changes or is unknown, by request id. */
    private static Map<String, JsonNode> examples(JsonNode answer) {
        Map<String, JsonNode> byRequest = new TreeMap<>();
        for (String kind : List.of("newly_denied", "newly_allowed", "newly_held", "unknown")) {
            JsonNode group = answer.path(kind);
            assertThat(group.path("examples")).hasSize(group.path("count").asInt());
            group.path("examples")
                    .forEach(example -> byRequest.put(example.path("request_id").asString(), example));
        }
        return byRequest;
    }

    @Test
    void a_simulation_agrees_with_what_really_happens() {
        Random random = new Random(11);
        String since = Instant.now().minusSeconds(60).toString();
        for (int group = 0; group < GROUPS; group++) {
            admin.post("/api/v1/groups", "{\"group_id\": \"sim_" + group + "\"}");
        }
        for (int agent = 0; agent < AGENTS; agent++) {
            admin.post("/api/v1/agents", "{\"agent_id\": \"sim_" + agent + "\"}");
            admin.put("/api/v1/groups/sim_" + random.nextInt(GROUPS) + "/members/sim_" + agent);
            admin.put("/api/v1/groups/sim_" + random.nextInt(GROUPS) + "/members/sim_" + agent);
        }
        changed(changes(random, Uses.UNLIMITED));
        List<Made> calls = calls(random);
        List<String> first = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            first.add(calls.get(i).decision("first-" + i));
        }

        List<Integer> order = recordedOrder(calls.size());

        String draft = changes(random, Uses.LIMITED);
        JsonNode answer =
                simulated(admin, "{\"changes\": [" + draft + "], \"since\": \"" + since + "\", \"examples\": 1000}");
        changed(draft);
        Map<String, JsonNode> foreseen = examples(answer);
        Map<String, Integer> seen = new TreeMap<>();
        for (int i : order) {
            JsonNode example = foreseen.get("first-" + i);
            String really = calls.get(i).decision("second-" + i);
            String before =
                    example == null ? first.get(i) : example.path("before").asString();
            String after =
                    example == null ? first.get(i) : example.path("after").asString();
            assertThat(before).as("call %d, %s", i, calls.get(i)).isEqualTo(first.get(i));
            assertThat(after).as("call %d, %s, %s", i, calls.get(i), example).isEqualTo(really);
            seen.merge(before + " " + after, 1, Integer::sum);
        }

        assertThat(seen).as("every kind of change occurs").hasSize(9);
        assertThat(answer.at("/unknown/count").asInt()).isZero();
        assertThat(answer.at("/not_looked_at/before").isNull()).isTrue();
    }

    /** The calls in the order of their records; those that are held are recorded once a person has answered. */
    private static List<Integer> recordedOrder(int calls) {
        String open = "/api/v1/approvals?state=pending&limit=500";
        for (JsonNode held = admin.get(open).json();
                !held.isEmpty();
                held = admin.get(open).json()) {
            held.forEach(question -> admin.post(
                    "/api/v1/approvals/" + question.path("approval_id").asString(), "{\"approved\": false}"));
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> firstRecords().size() == calls);
        return firstRecords();
    }

    private static List<Integer> firstRecords() {
        return server.database().jdbi().withHandle(handle -> handle.createQuery("""
                                SELECT substr(request_id, 7)::integer FROM tool_audit_logs
                                WHERE request_id LIKE 'first-%' ORDER BY timestamp, id""")
                .mapTo(Integer.class)
                .list());
    }

    private static List<Made> calls(Random random) {
        List<Made> calls = new ArrayList<>();
        for (int call = 0; call < AGENTS * TOOLS; call++) {
            calls.add(new Made(
                    "sim_" + random.nextInt(AGENTS),
                    "idle_" + random.nextInt(TOOLS),
                    List.of("one", "another", "none").get(random.nextInt(3)),
                    List.of("a", "b", "c").get(random.nextInt(3))));
        }
        return calls;
    }

    private enum Uses {
        LIMITED,
        UNLIMITED
    }

    private static String changes(Random random, Uses uses) {
        List<String> changes = new ArrayList<>();
        for (int tool = 0; tool < TOOLS; tool++) {
            for (int agent = 0; agent < AGENTS; agent++) {
                if (random.nextInt(3) > 0) {
                    changes.add("{\"agent_id\": \"sim_%d\", \"tool_name\": \"idle_%d\", %s}"
                            .formatted(agent, tool, setting(random, uses)));
                }
            }
            for (int group = 0; group < GROUPS; group++) {
                if (random.nextInt(2) > 0) {
                    changes.add("{\"group_id\": \"sim_%d\", \"tool_name\": \"idle_%d\", %s}"
                            .formatted(group, tool, setting(random, uses)));
                }
            }
        }
        return String.join(",", changes);
    }

    private static String setting(Random random, Uses uses) {
        switch (random.nextInt(12)) {
            case 0, 1 -> {
                return "\"allowed\": false";
            }
            case 2, 3 -> {
                return "\"clear\": true";
            }
            default -> {
                // allowed, with the terms below
            }
        }
        String terms = random.nextInt(4) == 0 ? ", \"requires_approval\": true" : "";
        terms += switch (random.nextInt(8)) {
            case 0 -> ", \"condition\": \"operation == 'one'\"";
            case 1 -> ", \"condition\": \"params.text == 'a' || agent == 'sim_3'\"";
            case 2 -> ", \"condition\": \"params.missing == 1\"";
            case 3 -> ", \"condition\": \"params.text in ['a', 'b'] && time > timestamp('2020-01-01T00:00:00Z')\"";
            default -> "";
        };
        terms += random.nextInt(4) == 0 ? ", \"expires_at\": \"2099-01-01T00:00:00Z\"" : "";
        terms += uses == Uses.LIMITED && random.nextInt(3) == 0 ? ", \"max_uses\": " + (1 + random.nextInt(3)) : "";
        return "\"allowed\": true" + terms;
    }

    private static void changed(String changes) {
        Reply reply = admin.post("/api/v1/permissions/bulk", "{\"changes\": [" + changes + "]}");
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    }

    @Test
    void a_call_is_unknown_if_a_condition_needs_a_masked_argument() {
        admin.put("/api/v1/permissions/masked/idle_0", "{\"allowed\": true}");
        decided(admin, "masked-1", "masked", "idle_0", "o", "{\"text\": \"a\", \"token\": \"hush-7f3a\"}");
        String draft = """
                {"changes": [{"agent_id": "masked", "tool_name": "idle_0", "allowed": true, "condition": "%s"}]}""";

        JsonNode needed = simulated(admin, draft.formatted("params.token == 'hush-7f3a'"));
        assertThat(needed.at("/unknown/count").asInt()).isEqualTo(1);
        assertThat(needed.toString()).doesNotContain("hush-7f3a");
        JsonNode notNeeded = simulated(admin, draft.formatted("params.text == 'a'"));
        assertThat(notNeeded.path("unchanged").asInt()).isEqualTo(1);
        JsonNode denied = simulated(admin, draft.formatted("params.text == 'z' && params.token == 'x'"));
        assertThat(denied.at("/newly_denied/count").asInt()).isEqualTo(1);
        assertThat(denied.at("/newly_denied/examples/0/reason").asString()).contains("condition");
    }

    @Test
    void uses_that_an_unknown_call_may_have_spent_make_later_calls_unknown() {
        admin.put("/api/v1/permissions/counted/idle_4", "{\"allowed\": true}");
        decided(admin, "counted-1", "counted", "idle_4", "o", "{\"text\": \"a\", \"token\": \"hush-7f3a\"}");
        decided(admin, "counted-2", "counted", "idle_4", "o", "{\"text\": \"b\"}");

        JsonNode answer = simulated(admin, """
                {"changes": [{"agent_id": "counted", "tool_name": "idle_4", "allowed": true, "max_uses": 1,
                  "condition": "params.text == 'b' || params.token == 'hush'"}]}""");

        assertThat(answer.at("/unknown/count").asInt()).as(answer.toString()).isEqualTo(2);
    }

    @Test
    void shortened_arguments_are_unknown_too() {
        admin.put("/api/v1/permissions/long/idle_0", "{\"allowed\": false}");
        decided(admin, "long-1", "long", "idle_0", "o", "{\"text\": \"" + "x ".repeat(10_000) + "\"}");

        JsonNode answer = simulated(admin, """
                {"changes": [{"agent_id": "long", "tool_name": "idle_0", "allowed": true,
                  "condition": "params.text.endsWith('x ')"}]}""");

        assertThat(answer.at("/unknown/count").asInt()).isEqualTo(1);
    }

    @Test
    void nothing_is_changed_spent_or_recorded() {
        admin.put("/api/v1/permissions/still/idle_1", "{\"allowed\": true, \"max_uses\": 5}");
        decided(admin, "still-1", "still", "idle_1", "o", "{\"text\": \"a\"}");
        Map<String, List<String>> before = rows();

        JsonNode answer = simulated(
                admin, "{\"changes\": [{\"agent_id\": \"still\", \"tool_name\": \"idle_1\", \"allowed\": false}]}");

        assertThat(answer.at("/newly_denied/count").asInt()).isEqualTo(1);
        assertThat(rows()).isEqualTo(before);
    }

    private static Map<String, List<String>> rows() {
        Map<String, List<String>> rows = new TreeMap<>(server.rowsOf(FIRST));
        rows.remove("api_keys");
        return rows;
    }

    @Test
    void calls_of_another_tenant_are_not_replayed() {
        admin.put("/api/v1/permissions/mine/idle_2", "{\"allowed\": true}");
        decided(admin, "mine-1", "mine", "idle_2", "o", "{\"text\": \"a\"}");
        String draft = "{\"changes\": [{\"agent_id\": \"mine\", \"tool_name\": \"idle_2\", \"allowed\": false}]}";
        Client other = server.as(ACME, Role.ADMIN);
        other.post("/api/v1/agents", "{\"agent_id\": \"mine\"}");

        JsonNode theirs = simulated(other, draft);
        assertThat(theirs.path("replayed").asInt()).isZero();
        assertThat(theirs.toString()).doesNotContain("mine-1");
        assertThat(server.as(FIRST, Role.AGENT).post(SIMULATE, draft).status()).isEqualTo(403);
        assertThat(simulated(admin, draft).path("replayed").asInt()).isEqualTo(1);
    }

    @Test
    void a_draft_that_could_not_be_applied_is_refused_like_a_change() {
        assertThat(admin.post(SIMULATE, """
                                {"changes": [{"agent_id": "a", "tool_name": "bash", "allowed": true, "condition": "1 +"}]}""").status()).isEqualTo(409);
        assertThat(admin.post(SIMULATE, """
                                {"changes": [{"group_id": "no such", "tool_name": "bash", "allowed": true}]}""").status()).isEqualTo(409);
        assertThat(admin.post(SIMULATE, "{\"changes\": [], \"examples\": 1001}").status())
                .isEqualTo(400);
        assertThat(simulated(admin, "{\"changes\": []}").path("replayed").asInt())
                .isZero();
    }

    @Test
    void a_draft_about_too_many_agents_and_tools_is_refused() {
        admin.post("/api/v1/groups", "{\"group_id\": \"everybody\"}");
        server.database().jdbi().useHandle(handle -> {
            handle.execute("INSERT INTO agents (tenant_id, agent_id) SELECT 'default', 'many_' || n"
                    + " FROM generate_series(1, 600) n");
            handle.execute("INSERT INTO agent_group_members (tenant_id, group_id, agent_id)"
                    + " SELECT 'default', 'everybody', 'many_' || n FROM generate_series(1, 600) n");
        });
        String changes = IntStream.range(0, 1_000)
                .mapToObj(
                        tool -> "{\"group_id\": \"everybody\", \"tool_name\": \"tool_" + tool + "\", \"clear\": true}")
                .collect(Collectors.joining(","));

        Reply refused = admin.post(SIMULATE, "{\"changes\": [" + changes + "]}");

        assertThat(refused.status()).as(refused.toString()).isEqualTo(409);
        assertThat(refused.message()).contains("500000");
        Reply events = admin.with("Accept", "text/event-stream").post(SIMULATE, "{\"changes\": [" + changes + "]}");
        DocumentedEvents.check("POST", SIMULATE, events.text());
        assertThat(events.text()).contains("event: error", "500000");
    }

    @Test
    void undone_changes_are_replayed_like_other_calls() {
        admin.put("/api/v1/permissions/undone/memory_save", "{\"allowed\": true}");
        decided(admin, "save-1", "undone", "memory_save", "o", "{\"key\": \"tea\", \"value\": \"at four\"}");
        decided(admin, "save-2", "undone", "memory_save", "o", "{\"key\": \"tea\", \"value\": \"at five\"}");
        String record =
                admin.get("/api/v1/audit/logs?request_id=save-2").each("id").getFirst();
        Reply undo = admin.post("/api/v1/audit/logs/" + record + "/undo", "{\"reason\": \"a mistake\"}");
        assertThat(undo.status()).as(undo.toString()).isEqualTo(200);

        JsonNode answer = simulated(admin, """
                {"changes": [{"agent_id": "undone", "tool_name": "memory_save", "allowed": true,
                 "condition": "has(params.value)"}]}""");

        assertThat(answer.path("replayed").asInt()).isEqualTo(3);
        assertThat(answer.at("/unknown/count").asInt()).isZero();
        assertThat(examples(answer))
                .as("what was undone has no new value")
                .containsOnlyKeys(undo.json().path("request_id").asString());
    }

    @Test
    void clients_that_accept_events_get_its_progress() {
        admin.put("/api/v1/permissions/seen/idle_3", "{\"allowed\": true}");
        decided(admin, "seen-1", "seen", "idle_3", "o", "{\"text\": \"a\"}");

        Reply events = admin.with("Accept", "text/event-stream")
                .post(
                        SIMULATE,
                        "{\"changes\": [{\"agent_id\": \"seen\", \"tool_name\": \"idle_3\", \"clear\": true}]}");

        assertThat(events.header("Content-Type").orElseThrow()).startsWith("text/event-stream");
        assertThat(events.text()).containsSubsequence("event: progress", "event: progress", "event: result");
        DocumentedEvents.check("POST", SIMULATE, events.text());
        String result = events.text()
                .lines()
                .filter(line -> line.startsWith("data: "))
                .reduce((_, last) -> last)
                .orElseThrow()
                .substring("data: ".length());
        assertThat(Json.MAPPER.readTree(result).at("/newly_denied/count").asInt())
                .isEqualTo(1);
    }
}
