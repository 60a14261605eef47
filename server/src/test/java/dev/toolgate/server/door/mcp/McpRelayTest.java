package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.instance.RunningInstance;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.JsonNodeFactory;

/** However much clients send, the other instances get a bounded number of notifications. */
@Timeout(120)
class McpRelayTest {
    private static final String LAST = "last";

    private final AtomicInteger received = new AtomicInteger();
    private volatile boolean isOver;
    private Database database;
    private McpRelay relay;

    /** Counts the notifications until the last one. */
    private final class Counter implements DatabaseListener.Watcher {
        @Override
        public String subject() {
            return "forwarded messages";
        }

        @Override
        public String channel() {
            return "toolgate_mcp";
        }

        @Override
        public Duration interval() {
            return Duration.ofMinutes(10);
        }

        @Override
        public void connected(Connection connection) {
            isOver = true;
        }

        @Override
        public void notified(String payload) {
            if (payload.equals(LAST)) {
                isOver = true;
            } else {
                received.incrementAndGet();
            }
        }

        @Override
        public void poll(Connection connection) {}
    }

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        relay = new McpRelay(database.jdbi());
        var _ = database.listener().subscribe(new Counter());
        await().until(() -> isOver);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private int received() {
        isOver = false;
        database.jdbi().useHandle(handle -> handle.execute("SELECT pg_notify('toolgate_mcp', ?)", LAST));
        await().until(() -> isOver);
        return received.get();
    }

    private void joinInstances(int number) {
        for (int i = 0; i < number; i++) {
            RunningInstance.start(database.listener(), "host");
        }
        await().until(() -> number
                == database.jdbi().<Integer, RuntimeException>withHandle(handle -> handle.createQuery(
                                "SELECT count(*) FROM instances")
                        .mapTo(Integer.class)
                        .one()));
    }

    private boolean cancel(String session, long id) {
        return relay.forward(
                session,
                new RpcMessage.Notification(
                        McpMethods.CANCELLED,
                        JsonNodeFactory.instance.objectNode().put("requestId", id)));
    }

    @Test
    void a_flood_of_cancellations_is_cut_off() {
        joinInstances(2);

        for (int i = 0; i < 1_000; i++) {
            boolean _ = cancel("session", i);
        }

        assertThat(received()).isBetween(1, 400);
        assertThat(cancel("another", 1)).isTrue();
    }

    @Test
    void nothing_is_forwarded_without_another_instance() {
        joinInstances(1);

        assertThat(cancel("session", 1)).isFalse();

        assertThat(received()).isZero();
    }

    @Test
    void many_sessions_together_have_a_budget_for_a_period() {
        AtomicLong now = new AtomicLong();
        RelayBudget budget = new RelayBudget(new RelayBudget.Limits(10, 25, Duration.ofMinutes(1)), now::get);

        assertThat(budget.take("a", 11)).isFalse();
        assertThat(budget.take("a", 10)).isTrue();
        assertThat(budget.take("a", 1)).isFalse();
        assertThat(budget.take("b", 10)).isTrue();
        assertThat(budget.take("c", 10)).isFalse();
        assertThat(budget.take("c", 5)).isTrue();
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(budget.take("a", 10)).isTrue();
    }
}
