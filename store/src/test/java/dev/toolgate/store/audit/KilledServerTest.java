package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.audit.write.NotRecorded;
import dev.toolgate.store.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledServerTest {
    private static final int CALLERS = 64;
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    @Test
    void acknowledged_records_survive_a_killed_database(@TempDir Path home) throws Exception {
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(home.resolve("home"));
                AuditStore store = AuditStore.open(server.url())) {
            AtomicBoolean stop = new AtomicBoolean();
            try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int caller = 0; caller < CALLERS; caller++) {
                    int me = caller;
                    var _ = callers.submit(() -> {
                        for (int i = 0; !stop.get(); i++) {
                            record(store, me + "-" + i, acknowledged);
                        }
                    });
                }
                try {
                    await().atMost(RECOVERY).until(() -> acknowledged.size() > 500);
                    long pid = server.pid();
                    assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly())
                            .isTrue();
                    await().atMost(RECOVERY).until(() -> server.pid() != pid);
                    int before = acknowledged.size();
                    await().atMost(RECOVERY).until(() -> acknowledged.size() > before + 500);
                } finally {
                    stop.set(true); // or the callers would never end
                }
            }

            await().atMost(RECOVERY).until(() -> store.database().isReachable());
            List<String> recorded = store.database().jdbi().withHandle(handle -> handle.createQuery(
                            "SELECT request_id FROM tool_audit_logs")
                    .mapTo(String.class)
                    .list());
            assertThat(new HashSet<>(recorded)).containsAll(acknowledged).hasSameSizeAs(recorded);
            assertThat(store.queries().verify().faults()).isEmpty();
        }
    }

    private static void record(AuditStore store, String request, Set<String> acknowledged) {
        try {
            store.log().record(AuditStore.completed(request));
            acknowledged.add(request);
        } catch (NotRecorded expected) {
            // Errors are expected while the database is down; lost records are not.
        }
    }
}
