package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Output;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two concurrent calls with one request id, a slow and a fast one: whatever ran is recorded. */
@Timeout(180)
class OneRequestIdTest {
    private static final int ROUNDS = 5;
    private static final String AGENT = "agent";

    @TempDir
    private Path folder;

    private final List<String> peeks = new CopyOnWriteArrayList<>();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private volatile CountDownLatch peeking = new CountDownLatch(0);
    private Receiver receiver;
    private TrialDatabase trial;
    private ToolgateServer first;
    private ToolgateServer second;
    private Client one;
    private Client other;

    @BeforeEach
    void start() throws Exception {
        DatabaseUrl database = MigratedDatabase.fresh();
        receiver = new Receiver();
        trial = TrialDatabase.on(database);
        first = start("first", database);
        second = start("second", database);
        one = new Client(first.url(), TrialDatabase.ADMIN_KEY);
        other = new Client(second.url(), TrialDatabase.ADMIN_KEY);
        one.grant(AGENT, "browse_web", "file_list", "peek");
        await().until(() -> other.permissions(AGENT).text().contains("peek"));
    }

    private ToolgateServer start(String name, DatabaseUrl database) throws Exception {
        Path home = Files.createDirectory(folder.resolve(name));
        Path settings = Files.writeString(home.resolve("toolgate.yaml"), """
                tools: {web: {rendering: 'off'}}
                network: {internal_places: {default: ['%s']}}
                """.formatted(receiver.authority()));
        return ToolgateServer.start(
                ServerSettings.load(settings, TrialDatabase.sharing(folder.resolve("files"), home, database), Map.of()),
                List.of(TrialTool.reading("peek", (request, _) -> {
                    peeks.add(request);
                    boolean _ = peeking.await(20, TimeUnit.SECONDS);
                    return Output.text("peeked");
                })));
    }

    @AfterEach
    void stop() throws Exception {
        callers.close();
        second.close();
        first.close();
        trial.close();
        receiver.close();
    }

    @Test
    void a_fetched_page_is_recorded() throws Exception {
        pagesAreOnRecord("one", one, one);
    }

    @Test
    void a_fetched_page_is_recorded_on_two_gates() throws Exception {
        pagesAreOnRecord("two", one, other);
    }

    private void pagesAreOnRecord(String name, Client slowly, Client quickly) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String request = name + "-" + round;
            CountDownLatch answer = receiver.holdAnswers();
            Future<Reply> slow =
                    callers.submit(() -> slowly.execute(request, AGENT, "browse_web", receiver.page(request)));
            await().until(() -> receiver.arrivals().contains(request));

            Future<Reply> fast =
                    callers.submit(() -> quickly.execute(request, AGENT, "file_list", "{\"path\": \".\"}"));
            endsOrWaits(fast);
            answer.countDown();

            assertThat(slow.get().status()).as(slow.get().text()).isEqualTo(200);
            assertThat(fast.get().status()).as(fast.get().text()).isEqualTo(409);
            assertThat(recordsOf(request)).containsExactly("browse_web COMPLETED");
        }
        assertThat(receiver.arrivals()).hasSize(ROUNDS).doesNotHaveDuplicates();
        assertThat(trial.audit().verify().faults()).isEmpty();
    }

    @Test
    void a_read_only_call_is_recorded() throws Exception {
        readsAreOnRecord("read", one, one);
    }

    @Test
    void a_read_only_call_is_recorded_on_two_gates() throws Exception {
        readsAreOnRecord("reads", one, other);
    }

    private void readsAreOnRecord(String name, Client slowly, Client quickly) throws Exception {
        for (int round = 0; round < 2 * ROUNDS; round++) {
            String request = name + "-" + round;
            peeking = new CountDownLatch(1);
            Future<Reply> slow = callers.submit(() -> slowly.execute(request, AGENT, "peek", "{}"));
            await().until(() -> peeks.contains(request));

            Future<Reply> fast =
                    callers.submit(() -> quickly.execute(request, AGENT, "file_list", "{\"path\": \".\"}"));
            Future<Reply> same = callers.submit(() -> quickly.execute(request, AGENT, "peek", "{}"));
            endsOrWaits(fast);
            peeking.countDown();

            assertThat(slow.get().status()).as(slow.get().text()).isEqualTo(200);
            assertThat(fast.get().status()).as(fast.get().text()).isEqualTo(409);
            assertThat(same.get().text()).isEqualTo(slow.get().text());
            assertThat(recordsOf(request)).containsExactly("peek COMPLETED");
        }
        assertThat(peeks).hasSize(2 * ROUNDS).doesNotHaveDuplicates();
        assertThat(trial.audit().verify().faults()).isEmpty();
    }

    // On another server the fast call waits for the slow one.
    private static void endsOrWaits(Future<Reply> call) throws Exception {
        try {
            var _ = call.get(500, TimeUnit.MILLISECONDS);
        } catch (TimeoutException waits) {
            assertThat(call.isDone()).isFalse();
        }
    }

    private List<String> recordsOf(String request) {
        return trial
                .rows("SELECT tool_name, status FROM tool_audit_logs WHERE request_id = ? ORDER BY id", request)
                .stream()
                .map(row -> row.get("tool_name") + " " + row.get("status"))
                .toList();
    }
}
