package dev.toolgate.store.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DatabaseListenerTest {
    private static final Duration RARELY = Duration.ofMinutes(10);
    private static final Duration OFTEN = Duration.ofMillis(50);

    private Database database;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void watchers_share_one_connection_but_get_only_their_channel() throws Exception {
        RecordingWatcher one = new RecordingWatcher("one", RARELY);
        RecordingWatcher other = new RecordingWatcher("other", RARELY);
        try (var _ = database.listener().subscribe(one);
                var _ = database.listener().subscribe(other)) {
            await().until(() -> one.looks.get() == 1 && other.looks.get() == 1);
            notify("one", "first");

            await().until(() -> one.heard.equals(List.of("first")) && one.looks.get() == 2);
            assertThat(other.heard).isEmpty();
            assertThat(other.looks).hasValue(1);
            assertThat(one.connections).hasSize(1).isEqualTo(other.connections);
        }
    }

    @Test
    void all_watchers_get_a_new_connection_after_an_outage() throws Exception {
        RecordingWatcher one = new RecordingWatcher("one", OFTEN);
        RecordingWatcher other = new RecordingWatcher("other", RARELY);
        try (var _ = database.listener().subscribe(one);
                var _ = database.listener().subscribe(other)) {
            await().until(() -> other.looks.get() == 1);
            cut(other.connections.iterator().next());

            await().until(() -> other.connections.size() == 2 && one.connections.equals(other.connections));
            notify("other", "after");
            await().until(() -> other.heard.equals(List.of("after")));
        }
    }

    @Test
    void a_failing_watcher_is_retried_without_affecting_others() throws Exception {
        RecordingWatcher other = new RecordingWatcher("other", OFTEN);
        RecordingWatcher failing = new RecordingWatcher("failing", OFTEN) {
            @Override
            public void poll(Connection connection) throws SQLException {
                super.poll(connection);
                try (var statement = connection.createStatement()) {
                    statement.execute("SELECT 1 / 0");
                }
            }
        };
        try (var _ = database.listener().subscribe(failing);
                var _ = database.listener().subscribe(other)) {
            await().until(() -> failing.looks.get() > 3 && other.looks.get() > 3);
            assertThat(other.connections).hasSize(1);
        }
    }

    @Test
    void a_closed_watcher_is_ended_and_not_used_again() throws Exception {
        RecordingWatcher one = new RecordingWatcher("one", OFTEN);
        var subscription = database.listener().subscribe(one);
        await().until(() -> one.looks.get() > 0);
        subscription.close();
        int looks = one.looks.get();
        assertThat(one.left).hasValue(1);

        RecordingWatcher other = new RecordingWatcher("other", OFTEN);
        try (var _ = database.listener().subscribe(other)) {
            await().until(() -> other.looks.get() > 3);
        }
        assertThat(one.looks).hasValue(looks);
        assertThat(one.left).hasValue(1);
    }

    private void notify(String channel, String payload) {
        database.jdbi().useHandle(handle -> handle.execute("SELECT pg_notify(?, ?)", channel, payload));
    }

    private void cut(int pid) {
        database.jdbi().useHandle(handle -> handle.execute("SELECT pg_terminate_backend(?)", pid));
    }

    private static class RecordingWatcher implements DatabaseListener.Watcher {
        final AtomicInteger looks = new AtomicInteger();
        final AtomicInteger left = new AtomicInteger();
        final List<String> heard = new CopyOnWriteArrayList<>();
        final Set<Integer> connections = ConcurrentHashMap.newKeySet();
        private final String channel;
        private final Duration interval;

        RecordingWatcher(String channel, Duration interval) {
            this.channel = channel;
            this.interval = interval;
        }

        @Override
        public String subject() {
            return channel;
        }

        @Override
        public String channel() {
            return channel;
        }

        @Override
        public Duration interval() {
            return interval;
        }

        @Override
        public void notified(String payload) {
            heard.add(payload);
        }

        @Override
        public void poll(Connection connection) throws SQLException {
            try (var statement = connection.createStatement();
                    var row = statement.executeQuery("SELECT pg_backend_pid()")) {
                row.next();
                connections.add(row.getInt(1));
            }
            looks.incrementAndGet();
        }

        @Override
        public void leave(Connection connection) {
            left.incrementAndGet();
        }
    }
}
