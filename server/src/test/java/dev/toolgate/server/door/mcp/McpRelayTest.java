package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.instance.RunningInstance;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
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
        relay = new McpRelay(database.jdbi(), McpRelayTest::tenantOf);
        var _ = database.listener().subscribe(new Counter());
        await().until(() -> isOver);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    /** The tenant of a session named {@code TENANT/SESSION}; empty for any other. */
    private static Optional<TenantId> tenantOf(String session) {
        int slash = session.indexOf('/');
        return slash < 0 ? Optional.empty() : Optional.of(new TenantId(session.substring(0, slash)));
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
            boolean _ = cancel("one/session", i);
        }

        assertThat(received()).isBetween(1, 400);
        assertThat(cancel("one/another", 1)).isTrue();
    }

    @Test
    void a_flood_from_many_sessions_of_a_tenant_leaves_enough_for_others() {
        joinInstances(2);

        for (int session = 0; session < 16; session++) {
            for (int i = 0; i < 400; i++) {
                boolean _ = cancel("one/" + session, i);
            }
        }

        assertThat(cancel("one/another", 1)).isFalse();
        assertThat(cancel("two/session", 1)).isTrue();
        assertThat(received()).isBetween(1, 1_501);
    }

    @Test
    void nothing_is_forwarded_for_a_session_that_has_ended() {
        joinInstances(2);

        assertThat(cancel("ended", 1)).isFalse();

        assertThat(received()).isZero();
    }

    @Test
    void nothing_is_forwarded_without_another_instance() {
        joinInstances(1);

        assertThat(cancel("one/session", 1)).isFalse();

        assertThat(received()).isZero();
    }

    @Test
    void many_sessions_together_have_a_budget_for_a_period() {
        AtomicLong now = new AtomicLong();
        RelayBudget budget = new RelayBudget(new RelayBudget.Limits(10, 15, 25, Duration.ofMinutes(1)), now::get);
        TenantId one = new TenantId("one");
        TenantId two = new TenantId("two");

        assertThat(budget.take(one, "a", 11)).isFalse();
        assertThat(budget.take(one, "a", 10)).isTrue();
        assertThat(budget.take(one, "a", 1)).isFalse();
        assertThat(budget.take(one, "b", 6)).isFalse();
        assertThat(budget.take(one, "b", 5)).isTrue();
        assertThat(budget.take(one, "b", 1)).isFalse();
        assertThat(budget.take(two, "c", 10)).isTrue();
        assertThat(budget.take(two, "d", 1)).isFalse();
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(budget.take(one, "a", 10)).isTrue();
    }
}
