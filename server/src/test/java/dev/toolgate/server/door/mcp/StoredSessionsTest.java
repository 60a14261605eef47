package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.SessionRecord;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.mcp.McpSessionTable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an instance has in its cache is what the database has, also if requests of a session come at once. */
@Timeout(120)
class StoredSessionsTest {
    private static final int ROUNDS = 300;
    private static final SessionRecord SESSION =
            new SessionRecord("default\nalice", Revision.R2025_11_25, null, ClientCapabilities.NONE, null, Set.of());

    private Database database;
    private McpSessionTable table;
    private StoredSessions sessions;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        table = new McpSessionTable(database.jdbi(), Duration.ofHours(1), 1_000);
        sessions = new StoredSessions(table);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private static void atOnce(Runnable... requests) throws Exception {
        CyclicBarrier start = new CyclicBarrier(requests.length);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = List.of(requests).stream()
                    .<Future<?>>map(request -> clients.submit(() -> {
                        start.await();
                        request.run();
                        return null;
                    }))
                    .toList();
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    @Test
    void subscriptions_made_at_once_are_all_known() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String id = sessions.create(SESSION);

            atOnce(
                    () -> sessions.update(id, session -> session.withResource("a://1")),
                    () -> sessions.update(id, session -> session.withResource("a://2")),
                    () -> sessions.update(id, session -> session.withResource("a://3")),
                    () -> sessions.find(id));

            assertThat(Objects.requireNonNull(sessions.find(id)).resources())
                    .containsExactlyInAnyOrder("a://1", "a://2", "a://3");
        }
    }

    @Test
    void an_ended_session_stays_ended_for_requests_that_come_meanwhile() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String id = sessions.create(SESSION);
            StoredSessions another = new StoredSessions(table); // has not cached it yet

            atOnce(() -> another.find(id), () -> another.find(id), () -> another.find(id), () -> another.delete(id));

            assertThat(another.find(id)).isNull();
        }
    }
}
