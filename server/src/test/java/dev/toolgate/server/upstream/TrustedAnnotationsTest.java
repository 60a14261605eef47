package dev.toolgate.server.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is on record while a tool of an MCP server runs, depending on its annotations and whether they are trusted. */
class TrustedAnnotationsTest {
    private static final String SERVERS = "/api/v1/mcp/servers";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String CLOSED = "{\"readOnlyHint\": true, \"openWorldHint\": false}";
    private static final String OPEN = "{\"readOnlyHint\": true}";
    private static final String TRUSTED = ", \"trust_annotations\": true";
    private static final String INTENTS = "SELECT count(*) FROM tool_intents WHERE request_id = 'asked'";
    private static final String RECORDS = "SELECT count(*) FROM tool_audit_logs WHERE request_id = 'asked'";

    @TempDir
    private Path home;

    private final ChangingMcpServer upstream = ChangingMcpServer.open();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private RunningServer server;
    private Client admin;

    @BeforeEach
    void start() throws Exception {
        server = RunningServer.start(
                home, Map.of("network.internal_places", "{\"default\": [\"127.0.0.1:" + upstream.port() + "\"]}"));
        admin = server.admin();
        admin.post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
        admin.put("/api/v1/permissions/agent_1/wiki%2Fread", "{\"allowed\": true}");
    }

    @AfterEach
    void stop() throws Exception {
        upstream.close();
        callers.close();
        server.close();
    }

    @Test
    void a_trusted_call_of_a_closed_world_is_only_recorded_before_its_answer() {
        add(CLOSED, TRUSTED);
        CompletableFuture<Reply> called = callInProgress();

        assertThat(count(INTENTS)).as("the server has the call").isZero();
        try (Handle locked = server.database().jdbi().open()) {
            locked.begin();
            locked.execute("LOCK TABLE tool_audit_logs IN EXCLUSIVE MODE");
            upstream.answerCalls();
            await().atMost(LONG)
                    .until(() -> count("SELECT count(*) FROM pg_locks JOIN pg_class ON pg_class.oid = relation"
                                    + " WHERE NOT granted AND relname LIKE 'tool_audit_logs%'")
                            > 0);
            assertThat(called)
                    .as("it is not answered before its record is there")
                    .isNotDone();
            assertThat(count(RECORDS)).isZero();
            locked.commit();
        }

        assertAnswered(called);
        assertThat(count(RECORDS)).isOne();
    }

    @Test
    void an_untrusted_call_has_an_intent_while_it_runs() {
        add(CLOSED, "");

        assertHasIntentWhileItRuns();
    }

    @Test
    void a_trusted_call_of_an_open_world_has_an_intent_while_it_runs() {
        add(OPEN, TRUSTED);

        assertHasIntentWhileItRuns();
    }

    @Test
    void a_world_that_becomes_open_waits_for_agreement_and_needs_intents() {
        add(CLOSED, TRUSTED);
        upstream.offer(tool(OPEN));
        JsonNode changed = ok(admin.send("POST", SERVERS + "/wiki/refresh", null), 200)
                .json()
                .at("/tools/0");

        assertThat(changed.path("state").asString()).isEqualTo("changed");
        assertThat(changed.at("/differences/0/where").asString()).startsWith("/annotations");
        assertThat(call("before").text()).contains("TOOL_NOT_FOUND");
        assertThat(upstream.calls()).isZero();

        String hash = changed.at("/waiting/hash").asString();
        ok(admin.post(SERVERS + "/wiki/tools/read", "{\"agreed\": true, \"hash\": \"" + hash + "\"}"), 200);
        assertHasIntentWhileItRuns();
    }

    private void assertHasIntentWhileItRuns() {
        CompletableFuture<Reply> called = callInProgress();

        assertThat(count(INTENTS)).as("the server has the call").isOne();
        upstream.answerCalls();
        assertAnswered(called);
        assertThat(count(RECORDS)).isOne();
        assertThat(count(INTENTS)).isZero();
    }

    private void add(String annotations, String more) {
        upstream.offer(tool(annotations));
        ok(
                admin.post(
                        SERVERS,
                        "{\"name\": \"wiki\", \"url\": \"" + upstream.url() + "\", \"plain_http\": true" + more + "}"),
                201);
    }

    private static String tool(String annotations) {
        ObjectNode definition = (ObjectNode) Json.MAPPER.readTree(ChangingMcpServer.tool("read", "Reads something."));
        return definition.set("annotations", Json.MAPPER.readTree(annotations)).toString();
    }

    /** A call that the server has received and not yet answered. */
    private CompletableFuture<Reply> callInProgress() {
        upstream.holdCalls();
        CompletableFuture<Reply> called = CompletableFuture.supplyAsync(() -> call("asked"), callers);
        await().atMost(LONG).until(() -> upstream.calls() == 1);
        return called;
    }

    private Reply call(String requestId) {
        return admin.post(
                "/api/v1/tools/execute",
                "{\"request_id\": \"" + requestId + "\", \"agent_id\": \"agent_1\", \"tool_name\": \"wiki/read\","
                        + " \"operation\": \"o\", \"parameters\": {\"text\": \"hello\"}}");
    }

    private static void assertAnswered(CompletableFuture<Reply> called) {
        assertThat(called.join().text()).contains("said hello");
    }

    private int count(String query) {
        return server.database().jdbi().withHandle(handle -> handle.createQuery(query)
                .mapTo(Integer.class)
                .one());
    }

    private static Reply ok(Reply reply, int status) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        return reply;
    }
}
