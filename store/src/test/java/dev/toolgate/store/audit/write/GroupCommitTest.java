package dev.toolgate.store.audit.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog.Claim;
import dev.toolgate.core.audit.AuditLog.KeptAnswer;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.store.SharedPostgres;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.query.AuditFilter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
    private static final int CALLERS = 64;
    private static final Outcome DONE = new Outcome.Completed(Output.text("done"));

    private AuditStore store;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void concurrent_records_are_written_exactly_once_in_one_chain() {
        long each = 50;
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < CALLERS; caller++) {
                int me = caller;
                var _ = callers.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        store.log().intend(AuditStore.intent(me + "-" + i));
                        store.log().record(AuditStore.completed(me + "-" + i));
                    }
                });
            }
        }

        assertThat(store.count("SELECT count(*) FROM tool_audit_logs")).isEqualTo(CALLERS * each);
        assertThat(store.count("SELECT count(DISTINCT request_id) FROM tool_audit_logs"))
                .isEqualTo(CALLERS * each);
        assertThat(store.count("SELECT count(*) FROM tool_intents")).isZero();
        assertThat(store.count("SELECT count(DISTINCT xmin::text) FROM tool_audit_logs"))
                .as("transactions")
                .isLessThan(CALLERS * each / 4);
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void lost_connections_neither_lose_nor_duplicate_records() throws Exception {
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicInteger refused = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        int lost = 0;
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < CALLERS; caller++) {
                int me = caller;
                var _ = callers.submit(() -> {
                    for (int i = 0; !stop.get(); i++) {
                        call(me + "-" + i, acknowledged, refused);
                    }
                });
            }
            try {
                for (int cut = 0; cut < 10; cut++) {
                    int before = acknowledged.size();
                    Awaitility.await().until(() -> acknowledged.size() > before + CALLERS);
                    lost += cutConnections();
                }
            } finally {
                stop.set(true); // or the callers would never end
            }
        }

        assertThat(lost).as("connections that were cut").isGreaterThanOrEqualTo(10);
        Awaitility.await().until(() -> store.database().isReachable());
        // Calls whose outcome could not be recorded are closed as interrupted, without a restart.
        Awaitility.await().untilAsserted(() -> assertThat(store.count("SELECT count(*) FROM tool_intents"))
                .isZero());
        List<String> recorded = recorded();
        assertThat(recorded).doesNotHaveDuplicates();
        assertThat(new HashSet<>(recorded)).containsAll(acknowledged);
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void a_row_that_the_database_rejects_fails_only_its_own_caller() {
        store.sql("""
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF NEW.request_id = 'poison' THEN RAISE EXCEPTION 'no' USING ERRCODE = '22000'; END IF;
                    RETURN NEW;
                END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON tool_audit_logs FOR EACH ROW EXECUTE FUNCTION refuse()""");
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        AtomicInteger refused = new AtomicInteger();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < CALLERS; caller++) {
                String request = caller == CALLERS / 2 ? "poison" : "r" + caller;
                var _ = callers.submit(() -> call(request, acknowledged, refused));
            }
        }

        assertThat(acknowledged).hasSize(CALLERS - 1).doesNotContain("poison");
        assertThat(recorded()).containsExactlyInAnyOrderElementsOf(acknowledged);
        assertThat(store.queries().verify().faults()).isEmpty();
        store.sql("DROP TRIGGER refuse ON tool_audit_logs");
    }

    @Test
    void a_key_that_cannot_be_encoded_fails_only_its_own_caller() {
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < CALLERS; caller++) {
                String request = "r" + caller;
                String digest = caller == CALLERS / 2 ? "not hexadecimal" : "ab".repeat(32);
                var _ = callers.submit(() -> {
                    RequestKey key = new RequestKey(AuditStore.ACME, AuditStore.ALICE, new RequestId(request), digest);
                    store.log().record(AuditStore.completed(request), KeptAnswer.ofUnstarted(key, DONE, Claim.NEW));
                    return acknowledged.add(request);
                });
            }
        }

        assertThat(acknowledged).hasSize(CALLERS - 1).doesNotContain("r" + CALLERS / 2);
        assertThat(recorded()).containsExactlyInAnyOrderElementsOf(acknowledged);
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void callers_get_errors_during_an_outage_and_then_recover() throws Exception {
        String name = store.url().jdbcUrl().substring(store.url().jdbcUrl().lastIndexOf('/') + 1);
        admin("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS false");
        cutConnections();
        assertThatThrownBy(() -> store.log().record(AuditStore.completed("lost")))
                .isInstanceOf(NotRecorded.class);
        assertThatThrownBy(() -> store.log().intend(AuditStore.intent("lost"))).isInstanceOf(NotRecorded.class);

        admin("ALTER DATABASE " + name + " WITH ALLOW_CONNECTIONS true");
        Awaitility.await().ignoreExceptionsInstanceOf(NotRecorded.class).until(() -> {
            store.log().record(AuditStore.completed("back"));
            return true;
        });
        Awaitility.await()
                .ignoreExceptionsInstanceOf(ConnectionException.class)
                .ignoreExceptionsInstanceOf(UnableToExecuteStatementException.class)
                .until(() -> store.requests(AuditFilter.of(AuditStore.ACME)), List.of("back")::equals);
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    private List<String> recorded() {
        return store.database().jdbi().withHandle(handle -> handle.createQuery("SELECT request_id FROM tool_audit_logs")
                .mapTo(String.class)
                .list());
    }

    // Like the pipeline: a call whose intent was refused does not run, but is recorded.
    private void call(String request, Set<String> acknowledged, AtomicInteger refused) {
        try {
            store.log().intend(AuditStore.intent(request));
        } catch (NotRecorded expected) {
            refused.incrementAndGet();
        }
        try {
            store.log().record(AuditStore.completed(request));
            acknowledged.add(request);
        } catch (NotRecorded expected) {
            refused.incrementAndGet();
        }
    }

    /** Returns how many connections were cut. */
    private int cutConnections() throws Exception {
        String name = store.url().jdbcUrl().substring(store.url().jdbcUrl().lastIndexOf('/') + 1);
        return admin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE backend_type = 'client backend' AND datname = '" + name + "'");
    }

    private int admin(String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        SharedPostgres.server().jdbcUrl(),
                        store.url().user(),
                        store.url().password());
                var statement = connection.createStatement()) {
            int rows = 0;
            if (statement.execute(sql)) {
                for (ResultSet found = statement.getResultSet(); found.next(); ) {
                    rows++;
                }
            }
            return rows;
        }
    }
}
