package dev.toolgate.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.cli.Main;
import dev.toolgate.server.trial.Client;
import dev.toolgate.server.trial.Reply;
import dev.toolgate.server.trial.ServerProcess;
import dev.toolgate.server.trial.TrialDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stopping server ends and records running calls and leaves no process behind. */
@Timeout(180)
class StopTest {
    @TempDir
    private Path home;

    @BeforeEach
    void prepare() throws Exception {
        TrialDatabase.embedded(home);
        Files.writeString(home.resolve("toolgate.yaml"), "http: {grace: 6s}\n");
    }

    @Test
    void stopping_ends_and_records_running_calls_and_all_processes() throws Exception {
        try (ServerProcess server = ServerProcess.start(TrialDatabase.environment(home, null), Main.class, "serve")) {
            Client client = server.client();
            client.grant("agent", "bash", "file_list");
            Reply before = client.execute("before", "agent", "file_list", "{\"path\": \".\"}");
            assertThat(before.logged()).as(before.text()).isTrue();

            // Commands in one workspace run one at a time: the second starts when the first has ended, and never ends.
            CompletableFuture<Reply> brief = bash(client, "brief", "touch begun; sleep 3; echo finished");
            await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(home.resolve("workspace/begun")));
            CompletableFuture<Reply> endless = bash(client, "endless", "sleep 600");
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> client.get("/metrics").text().contains("toolgate_running_calls 2"));
            List<ProcessHandle> children = server.handle().descendants().toList();
            assertThat(children).hasSizeGreaterThan(5);

            int code = server.stop();

            assertThat(code).isIn(0, 143);
            assertThat(brief.get(10, TimeUnit.SECONDS).text()).contains("finished", "\"logged\":true");
            Reply cancelled = endless.get(10, TimeUnit.SECONDS);
            assertThat(cancelled.text()).contains("cancelled", "\"logged\":true");
            await().atMost(Duration.ofSeconds(10)).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
        try (TrialDatabase trial = TrialDatabase.in(home)) {
            assertThat(trial.rows(
                            "SELECT request_id, status FROM tool_audit_logs WHERE kind = 'call' ORDER BY request_id"))
                    .containsExactly(
                            Map.of("request_id", "before", "status", "COMPLETED"),
                            Map.of("request_id", "brief", "status", "COMPLETED"),
                            Map.of("request_id", "endless", "status", "FAILED"));
            assertThat(trial.count("SELECT count(*) FROM tool_intents")).isZero();
            assertThat(trial.count("SELECT count(*) FROM audit_instances WHERE ended_at IS NULL"))
                    .as("instances that did not end their chain")
                    .isEqualTo(0);
            assertThat(trial.audit().verify().faults()).isEmpty();
        }
    }

    @Test
    void a_second_server_on_the_same_home_is_refused() throws Exception {
        try (ServerProcess server = ServerProcess.start(TrialDatabase.environment(home, null), Main.class, "serve")) {
            Process second = ServerProcess.begin(TrialDatabase.environment(home, null), Main.class, "serve");
            assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(second.exitValue()).isNotZero();
            assertThat(Files.readString(home.resolve(ServerProcess.LOG)))
                    .contains("Another Toolgate (process " + server.handle().pid() + ") is using the data folder")
                    .doesNotContain("\tat ");
            assertThat(server.client().get("/health/live").status()).isEqualTo(200);
        }
    }

    private static CompletableFuture<Reply> bash(Client client, String request, String command) {
        return CompletableFuture.supplyAsync(
                () -> client.execute(request, "agent", "bash", "{\"command\": \"" + command + "\"}"),
                task -> Thread.ofVirtual().start(task));
    }
}
