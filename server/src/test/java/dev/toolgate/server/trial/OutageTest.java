package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.grant.Terms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Without its database the server refuses calls at once, and recovers when the database is back. */
@Timeout(120)
class OutageTest {
    private static final Duration HANGS = Duration.ofSeconds(10);
    private static final Duration RECOVERY = Duration.ofSeconds(60);
    private static final int CALLERS = 12;
    private static final int ROUNDS = 3;

    @TempDir
    private Path home;

    private Receiver receiver;
    private DatabaseProxy proxy;
    private LiveTrial live;

    @BeforeEach
    void start() throws Exception {
        DatabaseUrl database = MigratedDatabase.fresh();
        receiver = new Receiver();
        Files.writeString(home.resolve("toolgate.yaml"), """
                tools: {web: {rendering: 'off'}}
                network: {internal_places: {default: ['%s']}}
                """.formatted(receiver.authority()));
        proxy = new DatabaseProxy(database);
        live = LiveTrial.start(home, database, proxy);
        live.trial.grant(TrialDatabase.FIRST, "numbered", "look", Terms.PLAIN.withMaxUses(1_000_000));
        live.admin.grant("agent", "look", "note", "file_write", "browse_web");
        await().until(() -> live.admin.permissions("numbered").text().contains("look"));
        assertThat(everything("before"))
                .allSatisfy(reply -> assertThat(reply.status()).isEqualTo(200));
    }

    @AfterEach
    void stop() throws Exception {
        proxy.mend();
        live.close();
        proxy.close();
        receiver.close();
    }

    @Test
    void while_the_database_refuses_connections_calls_are_refused() throws Exception {
        survives(proxy::pull);
    }

    @Test
    void while_the_database_does_not_answer_calls_are_refused() throws Exception {
        survives(proxy::freeze);
    }

    @Test
    void a_running_call_is_answered_soon_when_the_database_stops_answering() throws Exception {
        Queue<Timed> answers = new ConcurrentLinkedQueue<>();
        Set<String> onTheirWay = ConcurrentHashMap.newKeySet();
        AtomicBoolean over = new AtomicBoolean();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < CALLERS; caller++) {
                String id = "way-" + caller + "-";
                var _ = callers.submit(() -> {
                    for (int i = 0; !over.get(); i++) {
                        String mine = id + i;
                        onTheirWay.add(mine);
                        answers.add(timed(() -> live.admin.execute(mine, "numbered", "look", "{}")));
                        answers.add(timed(() -> live.admin.permissions("numbered")));
                        answers.add(timed(() -> live.admin.execute(
                                mine + "-page", "agent", "browse_web", receiver.page(mine + "-page"))));
                        onTheirWay.remove(mine);
                    }
                    return null;
                });
            }
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    int before = answers.size();
                    await().atMost(RECOVERY).until(() -> answers.size() > before + 50);
                    proxy.freeze();
                    List<String> caught = List.copyOf(onTheirWay);
                    await().atMost(HANGS).until(() -> caught.stream().noneMatch(onTheirWay::contains));
                    proxy.mend();
                }
            } finally {
                over.set(true);
            }
        }
        System.out.printf(
                "Of %d calls during outages the slowest was answered after %d ms%n",
                answers.size(),
                answers.stream()
                        .map(Timed::took)
                        .max(Duration::compareTo)
                        .orElseThrow()
                        .toMillis());
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.reply().status()).as(answer.reply().text()).isIn(200, 503);
            assertThat(answer.took()).isLessThan(HANGS);
        });
        receivedRequestsAreRecorded();
    }

    /** Includes calls whose end could not be recorded, because their intents were recorded before. */
    private void receivedRequestsAreRecorded() {
        await().atMost(RECOVERY).until(() -> live.trial.count("SELECT count(*) FROM tool_intents") == 0);
        assertThat(receiver.arrivals()).isNotEmpty().doesNotHaveDuplicates();
        assertThat(live.trial.rows("SELECT request_id FROM tool_audit_logs WHERE tool_name = 'browse_web'").stream()
                        .map(row -> String.valueOf(row.get("request_id"))))
                .containsAll(receiver.arrivals());
    }

    private void survives(Failing outage) throws Exception {
        long records = live.trial.count("SELECT count(*) FROM tool_audit_logs");
        int looks = live.look.runs();
        int notes = live.note.runs();

        outage.begin();
        List<Duration> times = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Timed timed : everythingAtOnce("outage-" + round)) {
                Reply reply = timed.reply();
                assertThat(reply.status()).as(reply.text()).isEqualTo(503);
                assertThat(reply.error().path("code").asString()).isEqualTo("SERVICE_UNAVAILABLE");
                assertThat(reply.error().path("retryable").asBoolean()).isTrue();
                assertThat(reply.whole().headers().firstValue("Retry-After")).isPresent();
                assertThat(timed.took()).isLessThan(HANGS);
                times.add(timed.took());
            }
        }
        times.sort(null);
        System.out.printf(
                "Without a database, %d answers of 503: median %d ms, slowest %d ms%n",
                times.size(),
                times.get(times.size() / 2).toMillis(),
                times.getLast().toMillis());
        assertThat(live.note.runs()).as("runs of a tool that changes something").isEqualTo(notes);
        assertThat(receiver.arrivals()).as("what is sent out").noneMatch(page -> page.startsWith("outage-"));
        assertThat(home.resolve("workspace/outage-0.txt")).doesNotExist();
        assertThat(live.admin.get("/health/live").status()).isEqualTo(200);
        assertThat(live.admin.get("/health").status()).isEqualTo(503);

        long restored = System.nanoTime();
        proxy.mend();
        await().atMost(RECOVERY).until(() -> live.admin.get("/health").status() == 200);
        await().atMost(RECOVERY).until(() -> everything("after").stream().allMatch(reply -> reply.status() == 200));
        System.out.printf("Recovered after %d ms%n", (System.nanoTime() - restored) / 1_000_000);
        assertThat(live.trial.count(
                        "SELECT count(*) FROM tool_audit_logs WHERE request_id LIKE 'outage-%' AND allowed"))
                .as("what is recorded as done")
                .isLessThanOrEqualTo(live.look.runs() - looks);
        assertThat(live.trial.count("SELECT count(*) FROM tool_audit_logs WHERE tool_name IN ('note', 'file_write')"
                        + " AND request_id LIKE 'outage-%'"))
                .isZero();
        await().until(() -> live.trial.count("SELECT count(*) FROM tool_intents") == 0);
        assertThat(live.trial.audit().verify().faults()).isEmpty();
        assertThat(live.trial.count("SELECT count(*) FROM tool_audit_logs")).isGreaterThan(records);

        receivedRequestsAreRecorded();

        // A refused call can be repeated with the same request id and runs once.
        Reply again = live.admin.execute("outage-0-0-note", "agent", "note", "{}");
        assertThat(again.status()).as(again.text()).isEqualTo(200);
    }

    private List<Reply> everything(String id) {
        List<Reply> replies = new ArrayList<>();
        replies.add(live.admin.execute(id + "-look", "agent", "look", "{}"));
        replies.add(live.admin.execute(id + "-numbered", "numbered", "look", "{}"));
        replies.add(live.admin.execute(id + "-note", "agent", "note", "{}"));
        replies.add(live.admin.execute(
                id + "-write", "agent", "file_write", "{\"path\": \"" + id + ".txt\", \"content\": \"x\"}"));
        replies.add(live.admin.execute(id + "-page", "agent", "browse_web", receiver.page(id + "-page")));
        return replies;
    }

    private List<Timed> everythingAtOnce(String id) throws Exception {
        List<Callable<Timed>> calls = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            String mine = id + "-" + i;
            calls.add(() -> timed(() -> live.admin.execute(mine + "-look", "agent", "look", "{}")));
            calls.add(() -> timed(() -> live.admin.execute(mine + "-numbered", "numbered", "look", "{}")));
            calls.add(() -> timed(() -> live.admin.execute(mine + "-note", "agent", "note", "{}")));
            calls.add(() -> timed(
                    () -> live.admin.execute(mine + "-page", "agent", "browse_web", receiver.page(mine + "-page"))));
            calls.add(() -> timed(() -> live.admin.execute(
                    mine + "-write", "agent", "file_write", "{\"path\": \"" + id + ".txt\", \"content\": \"x\"}")));
        }
        List<Timed> answers = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Timed> answer : callers.invokeAll(calls)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }

    private static Timed timed(Callable<Reply> call) throws Exception {
        long start = System.nanoTime();
        Reply reply = call.call();
        return new Timed(reply, Duration.ofNanos(System.nanoTime() - start));
    }

    private record Timed(Reply reply, Duration took) {}

    private interface Failing {
        void begin() throws Exception;
    }
}
