package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.door.PolicySession;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.write.PostgresAuditLog;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.grant.Terms;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two server processes on one database behave like one. */
@Timeout(120)
class TwoServersTest {
    private static final Duration PROMISE = Duration.ofSeconds(1);
    private static final int CALLS_AN_HOUR = 200;

    @TempDir
    private static Path folder;

    private static Path effects;
    private static TrialDatabase trial;
    private static ServerProcess first;
    private static ServerProcess second;
    private static Client one;
    private static Client other;

    @BeforeAll
    static void start() throws Exception {
        DatabaseUrl database = MigratedDatabase.fresh();
        effects = Files.createFile(folder.resolve("effects.txt"));
        trial = TrialDatabase.on(database);
        first = start("first", database);
        second = start("second", database);
        one = first.client();
        other = second.client();
    }

    private static ServerProcess start(String name, DatabaseUrl database) throws Exception {
        Path home = Files.createDirectory(folder.resolve(name));
        Files.writeString(
                home.resolve("toolgate.yaml"), "limits: {per_agent: {calls: " + CALLS_AN_HOUR + ", period: 1h}}\n");
        Map<String, String> environment = TrialDatabase.sharing(folder.resolve("files"), home, database);
        environment.put("LOG_LEVEL", "info");
        return ServerProcess.withTrialTools(environment, effects);
    }

    @AfterAll
    static void stop() throws Exception {
        second.close();
        first.close();
        trial.close();
    }

    @Test
    void a_revoke_takes_effect_on_the_other_server_within_a_second() {
        revokesHold("told");
    }

    @Test
    void a_revoke_takes_effect_within_a_second_without_notification() {
        silently("permission", () -> revokesHold("untold"));
    }

    @Test
    void a_revoked_key_is_refused_by_both_within_a_second() {
        keysEnd();
    }

    @Test
    void a_revoked_key_is_refused_within_a_second_without_notification() {
        silently("key", TwoServersTest::keysEnd);
    }

    @Test
    void a_session_ended_on_one_server_is_ended_on_the_other() {
        trial.grant(TrialDatabase.FIRST, "talker", "look", Terms.PLAIN);
        String wanted =
                PolicySession.of("talk", "talker", "{\"name\": \"Trial.Run\"}").json();
        assertThat(one.post("/api/v1/sessions", wanted).status()).isEqualTo(201);
        String call = """
                {"sessionId": "talk", "taskId": "t", "stepId": "s", "toolName": "look", "arguments": {}}""";
        await().until(() -> other.post("/tools/look/invoke", call).text().contains("succeeded"));

        assertThat(one.send("DELETE", "/api/v1/sessions/talk", BodyPublishers.noBody())
                        .status())
                .isEqualTo(204);

        assertThat(other.post("/tools/look/invoke", call).text()).contains("SESSION_EXPIRED");
    }

    @Test
    void a_grant_with_a_number_of_uses_counts_calls_of_both() throws Exception {
        trial.grant(TrialDatabase.FIRST, "numbered", "look", Terms.PLAIN.withMaxUses(10));
        await().until(() -> one.permissions("numbered").text().contains("look")
                && other.permissions("numbered").text().contains("look"));
        List<Reply> replies = fromBoth(40, i -> "numbered-" + i, "numbered", "look");
        assertThat(replies).filteredOn(reply -> reply.status() == 200).hasSize(10);
        assertThat(replies).filteredOn(reply -> reply.status() == 403).hasSize(30);
    }

    @Test
    void a_rate_limit_counts_calls_of_both() throws Exception {
        grantOnBoth("hasty", "look");
        List<Reply> replies = fromBoth(CALLS_AN_HOUR + 60, i -> "hasty-" + i, "hasty", "look");
        // The bucket refills one call every 18 seconds.
        assertThat(replies.stream().filter(reply -> reply.status() == 200).count())
                .isBetween((long) CALLS_AN_HOUR, CALLS_AN_HOUR + 5L);
        assertThat(replies)
                .filteredOn(reply -> reply.status() != 200)
                .isNotEmpty()
                .allSatisfy(reply -> {
                    assertThat(reply.status()).as(reply.text()).isEqualTo(429);
                    assertThat(reply.error().path("retryable").asBoolean()).isTrue();
                    assertThat(reply.whole().headers().firstValue("Retry-After"))
                            .isPresent();
                });
    }

    @Test
    void the_same_request_to_both_at_once_runs_once_and_has_one_answer() throws Exception {
        grantOnBoth("twin", "note");
        List<Reply> replies = fromBoth(80, i -> "twin-" + i / 2, "twin", "note");
        for (int i = 0; i < replies.size(); i += 2) {
            assertThat(replies.get(i).status()).as(replies.get(i).text()).isEqualTo(200);
            assertThat(replies.get(i + 1).text()).isEqualTo(replies.get(i).text());
        }
        List<String> ran = Files.readAllLines(effects);
        assertThat(ran).filteredOn(line -> line.startsWith("twin-")).hasSize(40).doesNotHaveDuplicates();
        assertThat(trial.count("SELECT count(*) FROM tool_audit_logs WHERE agent_id = 'twin'"))
                .isEqualTo(40);
        assertThat(trial.audit().verify().faults()).isEmpty();
    }

    @Test
    void retention_runs_once_and_keeps_recent_records() throws Exception {
        try (PostgresAuditLog log = new PostgresAuditLog(trial.database().unpooled(), Duration.ofSeconds(20))) {
            trial.sql("SELECT create_audit_partitions((CURRENT_DATE - 400)::date, 1)");
            log.record(old("old-done", AuditLog.Status.COMPLETED));
            log.record(old("old-refused", AuditLog.Status.REFUSED));
        }
        await().atMost(Duration.ofSeconds(40)).until(() -> retentions() == 1);
        // Records without a checkpoint are kept, and servers sign the ended chains of others.
        await().atMost(Duration.ofSeconds(40)).until(() -> trial.count("""
                        SELECT count(*) FROM audit_instances i
                        WHERE i.ended_at IS NOT NULL AND i.last_sequence > coalesce(
                            (SELECT max(sequence) FROM audit_checkpoints c WHERE c.instance_id = i.instance_id), 0)""") == 0);

        trial.sql("UPDATE scheduled_tasks SET execution_time = CURRENT_TIMESTAMP WHERE NOT picked");
        await().atMost(Duration.ofSeconds(40)).until(() -> requests("old-%").equals(List.of("old-refused")));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> trial.count("SELECT count(*) FROM scheduled_tasks WHERE execution_time <= now() OR picked")
                        == 0);
        assertThat(retentions())
                .as("once when the first server started, once when it was due")
                .isEqualTo(2);
        assertThat(trial.audit().verify().faults()).isEmpty();
    }

    private static AuditLog.Entry old(String request, AuditLog.Status status) {
        return new AuditLog.Entry(
                new AuditLog.Intent(
                        AuditLog.Kind.CALL,
                        new RequestId(request),
                        new Caller(
                                TrialDatabase.FIRST, new AgentId("former"), null, new WorkspaceId("default"), "trial"),
                        CallContext.NONE,
                        null,
                        "look",
                        "trial",
                        Json.MAPPER.createObjectNode(),
                        null,
                        null,
                        Instant.now().minus(Duration.ofDays(400))),
                Duration.ZERO,
                status,
                null,
                null,
                AuditLog.Approval.NONE,
                "old",
                null);
    }

    private static List<String> requests(String pattern) {
        return trial.rows("""
                        SELECT request_id FROM (
                            SELECT request_id FROM tool_audit_logs UNION SELECT request_id FROM tool_audit_logs_rest) AS all_records
                        WHERE request_id LIKE ? ORDER BY 1""", pattern).stream()
                .map(row -> String.valueOf(row.get("request_id")))
                .toList();
    }

    private static long retentions() throws IOException {
        long begun = 0;
        for (String name : List.of("first", "second")) {
            begun += Files.readString(folder.resolve(name).resolve(ServerProcess.LOG))
                    .lines()
                    .filter(line -> line.contains("Job 'audit-retention' started"))
                    .count();
        }
        return begun;
    }

    private static void revokesHold(String name) {
        for (int round = 0; round < 3; round++) {
            String agent = name + round;
            grantOnBoth(agent, "look");
            String prefix = agent + "-";
            int[] count = {0};
            one.revoke(agent, "look");
            assertThat(one.execute(prefix + "here", agent, "look", "{}").status())
                    .isEqualTo(403);
            holds(() -> other.execute(prefix + count[0]++, agent, "look", "{}").status() == 403);
        }
    }

    private static void keysEnd() {
        for (int round = 0; round < 3; round++) {
            JsonNode key = one.post("/api/v1/keys", "{\"role\": \"auditor\", \"name\": \"trial\"}")
                    .json();
            Client here = one.with(key.path("key").asString());
            Client there = other.with(key.path("key").asString());
            assertThat(here.permissions("x").status()).isEqualTo(200);
            assertThat(there.permissions("x").status()).isEqualTo(200);
            Client.expect(
                    204, one.send("DELETE", "/api/v1/keys/" + key.path("key_id").asString(), BodyPublishers.noBody()));
            assertThat(here.permissions("x").status()).isEqualTo(401);
            holds(() -> there.permissions("x").status() == 401);
        }
    }

    /** Asserts that a condition holds from a second from now on. */
    private static void holds(BooleanSupplier question) {
        long changed = System.nanoTime();
        await().pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    long asked = System.nanoTime();
                    boolean held = question.getAsBoolean();
                    assertThat(held || asked - changed < PROMISE.toNanos())
                            .as("asked %d ms after the change", (asked - changed) / 1_000_000)
                            .isTrue();
                    return held;
                });
    }

    // The same function without its last statement, which notifies.
    private static void silently(String subject, Runnable test) {
        String name = "announce_" + subject + "_change";
        String original = String.valueOf(trial.rows("SELECT pg_get_functiondef(?::regproc) AS text", name)
                .getFirst()
                .get("text"));
        String silent = original.replaceFirst("PERFORM pg_notify[^;]*;", "");
        assertThat(silent).isNotEqualTo(original);
        trial.sql(silent);
        try {
            test.run();
        } finally {
            trial.sql(original);
        }
    }

    private static void grantOnBoth(String agent, String tool) {
        one.grant(agent, tool);
        await().until(() -> other.permissions(agent).text().contains(tool));
    }

    private interface Naming {
        String of(int number);
    }

    private static List<Reply> fromBoth(int calls, Naming naming, String agent, String tool) throws Exception {
        List<Callable<Reply>> work = IntStream.range(0, calls)
                .<Callable<Reply>>mapToObj(
                        i -> () -> (i % 2 == 0 ? one : other).execute(naming.of(i), agent, tool, "{}"))
                .toList();
        List<Reply> replies = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(16)) {
            for (Future<Reply> reply : threads.invokeAll(work)) {
                replies.add(reply.get());
            }
        }
        return replies;
    }
}
