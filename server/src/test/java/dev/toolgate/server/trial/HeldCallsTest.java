package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many held calls on two servers with one database: each approved one runs exactly once, others never. */
@Timeout(420)
class HeldCallsTest {
    private static final String AGENT = "agent";
    private static final int CALLS = 1000;

    @TempDir
    private Path folder;

    private final Map<String, Integer> runs = new ConcurrentHashMap<>();
    private TrialDatabase trial;
    private ToolgateServer first;
    private ToolgateServer second;
    private Client one;
    private Client other;

    @BeforeEach
    void start() throws Exception {
        DatabaseUrl database = MigratedDatabase.fresh();
        trial = TrialDatabase.on(database);
        first = start("first", database);
        second = start("second", database);
        one = new Client(first.url(), TrialDatabase.ADMIN_KEY);
        other = new Client(second.url(), TrialDatabase.ADMIN_KEY);
        Client.expect(201, one.post("/api/v1/agents", "{\"agent_id\": \"" + AGENT + "\"}"));
        for (String tool : List.of("note", "look")) {
            Client.expect(
                    200,
                    one.send(
                            "PUT",
                            "/api/v1/permissions/" + AGENT + "/" + tool,
                            BodyPublishers.ofString("{\"allowed\": true, \"requires_approval\": true}")));
        }
    }

    private ToolgateServer start(String name, DatabaseUrl database) throws Exception {
        Path home = Files.createDirectory(folder.resolve(name));
        List<Tool<?>> tools = List.of(
                TrialTool.changing("note", (request, _) -> counted(request)),
                TrialTool.reading("look", (request, _) -> counted(request)));
        return ToolgateServer.start(
                ServerSettings.load(
                        null,
                        TrialDatabase.sharing(folder.resolve("files"), home, database),
                        Map.of("approvals.timeout", "5m", "audit.timeout", "60s")),
                tools);
    }

    private Output counted(String request) {
        runs.merge(request, 1, Integer::sum);
        return Output.text("done " + request);
    }

    @AfterEach
    void stop() throws Exception {
        second.close();
        first.close();
        trial.close();
    }

    @Test
    void an_answer_given_on_one_server_wakes_the_other() {
        CompletableFuture<HttpResponse<String>> waiting = waiting(one, "woken");
        answer(other, question("woken"), "true");

        assertThat(waiting.join().statusCode()).isEqualTo(200);
        assertThat(runs).containsEntry("woken", 1);
    }

    @Test
    void an_answer_is_found_without_a_notification() {
        CompletableFuture<HttpResponse<String>> waiting = waiting(one, "unheard");
        Client.expect(202, one.executeLater(call("left")));
        question("unheard");
        // Like an external program that sends no notification.
        trial.sql("UPDATE approvals SET verdict = 'APPROVED', answered_at = now(), answered_by = 'somebody'");

        assertThat(waiting.join().statusCode()).isEqualTo(200);
        await().untilAsserted(
                        () -> assertThat(one.get("/api/v1/calls/left").status()).isEqualTo(200));
        assertThat(runs).containsEntry("unheard", 1).containsEntry("left", 1);
    }

    @Test
    void a_server_that_stops_leaves_held_calls_to_the_other() {
        CompletableFuture<HttpResponse<String>> waiting = waiting(one, "moved");
        String question = question("moved");
        Thread stopping = Thread.startVirtualThread(first::close);

        assertThat(waiting.join().statusCode()).isEqualTo(503);
        answer(other, question, "true");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(other.get("/api/v1/calls/moved").status()).isEqualTo(200));
        assertThat(runs).containsEntry("moved", 1);
        await().until(() -> !stopping.isAlive());
    }

    @Test
    void a_thousand_held_calls_run_once_each_if_approved_and_never_otherwise() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        List<Callable<Reply>> left = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            String request = "r" + i;
            Client client = i % 2 == 0 ? one : other;
            if (i % 4 < 2) {
                waiting.add(waiting(client, request));
            } else {
                left.add(() -> client.executeLater(call(request)));
            }
        }
        assertThat(all(left)).allSatisfy(reply -> assertThat(reply.status()).isEqualTo(202));
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            // A refused call is never held; the assertion shows the reason.
            waiting.stream().filter(CompletableFuture::isDone).forEach(HeldCallsTest::refuse);
            assertThat(trial.count("SELECT count(*) FROM approvals WHERE verdict IS NULL"))
                    .isEqualTo(CALLS);
        });
        assertThat(runs).isEmpty();

        Map<String, String> verdicts = answerAll();

        Map<String, Reply> outcomes = collected();
        outcomes.forEach((request, reply) -> {
            boolean approved = "approved".equals(verdicts.get(request));
            assertThat(reply.status()).as(request + " " + reply).isEqualTo(approved ? 200 : 403);
            assertThat(runs.getOrDefault(request, 0)).as(request).isEqualTo(approved ? 1 : 0);
        });
        assertThat(runs).isNotEmpty().hasSizeLessThan(CALLS);
        for (CompletableFuture<HttpResponse<String>> caller : waiting) {
            assertThat(caller.join().statusCode()).as(caller.join().body()).isIn(200, 403);
        }
        assertThat(trial.count("SELECT count(*) FROM (SELECT request_id FROM tool_audit_logs"
                        + " WHERE agent_id = 'agent' GROUP BY request_id) AS calls"))
                .isEqualTo(CALLS);
        assertThat(trial.count("SELECT count(*) FROM tool_audit_logs WHERE agent_id = 'agent'"))
                .isEqualTo(CALLS);
        assertThat(trial.count("SELECT count(*) FROM tool_audit_logs WHERE approved_by IS NULL AND kind = 'call'"))
                .isZero();
    }

    /** Three approvers on two servers answer every request in different orders; returns the accepted answers. */
    private Map<String, String> answerAll() throws Exception {
        Map<String, String> questions = new HashMap<>();
        trial.rows("SELECT request_id, approval_id::text AS id FROM approvals")
                .forEach(row -> questions.put(String.valueOf(row.get("request_id")), String.valueOf(row.get("id"))));
        Map<String, String> counted = new ConcurrentHashMap<>();
        List<Callable<Reply>> answers = new ArrayList<>();
        questions.forEach((request, id) -> {
            for (Client approver : List.of(one, other)) {
                answers.add(() -> {
                    boolean yes = ThreadLocalRandom.current().nextInt(4) > 0;
                    Reply reply = approver.post("/api/v1/approvals/" + id, "{\"approved\": " + yes + "}");
                    if (reply.status() == 200) {
                        assertThat(counted.put(
                                        request, reply.json().path("state").asString()))
                                .as("two answers count for " + request)
                                .isNull();
                    } else {
                        assertThat(reply.status()).as(reply.toString()).isEqualTo(409);
                    }
                    return reply;
                });
            }
        });
        Collections.shuffle(answers);
        all(answers);
        assertThat(counted).hasSize(CALLS);
        return counted;
    }

    private Map<String, Reply> collected() throws Exception {
        await().atMost(Duration.ofMinutes(3))
                .until(() -> trial.count("SELECT count(*) FROM approvals WHERE ended_at IS NULL") == 0);
        Map<String, Reply> outcomes = new ConcurrentHashMap<>();
        all(IntStream.range(0, CALLS)
                .<Callable<Reply>>mapToObj(i -> () -> {
                    Reply reply = (i % 2 == 0 ? other : one).get("/api/v1/calls/r" + i);
                    outcomes.put("r" + i, reply);
                    return reply;
                })
                .toList());
        return outcomes;
    }

    /** A few concurrently. */
    private static List<Reply> all(List<Callable<Reply>> work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<Reply> replies = new ArrayList<>();
            for (Future<Reply> reply : threads.invokeAll(work)) {
                replies.add(reply.get());
            }
            return replies;
        }
    }

    private static void refuse(CompletableFuture<HttpResponse<String>> caller) {
        HttpResponse<String> answer = caller.join();
        throw new IllegalStateException("not held, but answered " + answer.statusCode() + ": " + answer.body());
    }

    private static String call(String request) {
        return Client.call(request, AGENT, request.hashCode() % 2 == 0 ? "note" : "look", "{}");
    }

    private static CompletableFuture<HttpResponse<String>> waiting(Client client, String request) {
        return client.http()
                .sendAsync(
                        client.request("POST", "/api/v1/tools/execute", BodyPublishers.ofString(call(request)))
                                .timeout(Duration.ofMinutes(6))
                                .build(),
                        BodyHandlers.ofString());
    }

    private String question(String request) {
        String waits = "SELECT approval_id::text AS id FROM approvals WHERE verdict IS NULL AND request_id = ?";
        await().until(() -> !trial.rows(waits, request).isEmpty());
        return String.valueOf(trial.rows(waits, request).getFirst().get("id"));
    }

    private static void answer(Client client, String question, String approved) {
        Client.expect(200, client.post("/api/v1/approvals/" + question, "{\"approved\": " + approved + "}"));
    }
}
