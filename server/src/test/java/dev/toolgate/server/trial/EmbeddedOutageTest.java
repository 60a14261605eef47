package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The embedded database is killed and cannot be restarted for a while. */
@Timeout(180)
class EmbeddedOutageTest {
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    @Test
    void without_the_embedded_database_calls_are_refused_until_it_is_back() throws Exception {
        Path programs = TrialDatabase.embedded(home);
        Path real = Files.readSymbolicLink(programs);
        Path effects = Files.createFile(home.resolve("effects.txt"));
        try (ServerProcess server = ServerProcess.withTrialTools(TrialDatabase.environment(home, null), effects)) {
            Client client = server.client();
            client.grant("agent", "note");
            assertThat(client.execute("before", "agent", "note", "{}").status()).isEqualTo(200);

            Files.delete(programs);
            assertThat(postmaster().destroyForcibly()).isTrue();
            // Sessions of the database outlive it for a moment, in which a call can still be recorded.
            await().atMost(RECOVERY).until(() -> client.get("/health").status() == 503);
            for (int i = 0; i < 3; i++) {
                Reply reply = client.execute("meanwhile", "agent", "note", "{}");
                assertThat(reply.status()).as(reply.text()).isEqualTo(503);
                assertThat(reply.error().path("retryable").asBoolean()).isTrue();
            }
            assertThat(Files.readAllLines(effects)).containsExactly("before");
            assertThat(client.get("/health").status()).isEqualTo(503);

            Files.createSymbolicLink(programs, real);
            await().atMost(RECOVERY).until(() -> client.get("/health").status() == 200);
            await().atMost(RECOVERY)
                    .until(() ->
                            client.execute("meanwhile", "agent", "note", "{}").status() == 200);
            assertThat(Files.readAllLines(effects)).containsExactly("before", "meanwhile");
            Reply records = client.get("/api/v1/audit/logs?agent_id=agent");
            assertThat(records.json().valueStream().map(record -> record.path("request_id")
                            .asString()))
                    .containsExactly("meanwhile", "before");
        }
    }

    private ProcessHandle postmaster() throws Exception {
        List<String> lines = Files.readAllLines(home.resolve("data/postmaster.pid"));
        return ProcessHandle.of(Long.parseLong(lines.getFirst())).orElseThrow();
    }
}
