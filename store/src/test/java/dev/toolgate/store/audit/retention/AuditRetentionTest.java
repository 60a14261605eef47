package dev.toolgate.store.audit.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.chain.ChainFault;
import dev.toolgate.store.audit.query.AuditFilter;
import java.sql.Connection;
import java.time.Clock;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditRetentionTest {
    private static final AuditFilter ALL = AuditFilter.of(AuditStore.ACME);

    private AuditStore store;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        store.sql("SELECT create_audit_partitions('2024-01-01', 4)");
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void months_are_dropped_after_a_year_but_refused_calls_are_kept_longer() throws Exception {
        record("jan", "2024-01-10T00:00:00Z", AuditLog.Status.COMPLETED);
        record("jan-refused", "2024-01-11T00:00:00Z", AuditLog.Status.REFUSED);
        record("feb", "2024-02-10T00:00:00Z", AuditLog.Status.COMPLETED);
        record("mar", "2024-03-10T00:00:00Z", AuditLog.Status.COMPLETED);

        assertThat(retention("2025-02-01T00:00:00Z").run()).containsExactly(YearMonth.of(2024, 1));
        assertThat(store.requests(ALL)).containsExactly("mar", "feb", "jan-refused");
        assertThat(store.count("SELECT count(*) FROM pg_tables WHERE tablename = 'tool_audit_logs_2024_01'"))
                .isZero();
        assertThat(store.queries().verify().faults()).isEmpty();
        assertThat(retention("2025-02-01T00:00:00Z").run()).isEmpty();

        assertThat(retention("2027-02-01T00:00:00Z").run()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(store.requests(ALL)).isEmpty();
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void refused_calls_of_several_steps_are_all_copied_and_later_deleted() throws Exception {
        int refused = 450;
        for (int i = 0; i < refused; i++) {
            record("refused-" + i, "2024-01-11T00:00:00Z", AuditLog.Status.REFUSED);
        }
        record("mar", "2024-03-10T00:00:00Z", AuditLog.Status.COMPLETED);

        assertThat(retention("2025-02-01T00:00:00Z").run()).containsExactly(YearMonth.of(2024, 1));
        assertThat(store.count("SELECT count(DISTINCT request_id) FROM tool_audit_logs_rest"))
                .isEqualTo(refused);
        assertThat(store.queries().verify().faults()).isEmpty();

        retention("2030-02-01T00:00:00Z").run();
        assertThat(store.count("SELECT count(*) FROM tool_audit_logs_rest")).isZero();
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void a_record_between_younger_ones_is_kept_until_they_are_dropped() throws Exception {
        record("jan-1", "2024-01-10T00:00:00Z", AuditLog.Status.COMPLETED);
        record("feb-1", "2024-02-10T00:00:00Z", AuditLog.Status.COMPLETED);
        record("jan-late", "2024-01-31T23:59:59Z", AuditLog.Status.COMPLETED);
        record("feb-2", "2024-02-11T00:00:00Z", AuditLog.Status.COMPLETED);
        record("mar", "2024-03-10T00:00:00Z", AuditLog.Status.COMPLETED);

        retention("2025-02-01T00:00:00Z").run();
        assertThat(store.requests(ALL)).containsExactly("mar", "feb-2", "feb-1", "jan-late");
        assertThat(store.queries().verify().faults()).isEmpty();

        retention("2025-03-01T00:00:00Z").run();
        assertThat(store.requests(ALL)).containsExactly("mar");
        assertThat(store.queries().verify().faults()).isEmpty();

        store.sql("DELETE FROM tool_audit_logs");
        assertThat(store.queries().verify().faults()).isNotEmpty();
    }

    @Test
    void a_change_of_a_retained_record_is_still_detected() throws Exception {
        record("refused", "2024-01-11T00:00:00Z", AuditLog.Status.REFUSED);
        record("feb", "2024-02-10T00:00:00Z", AuditLog.Status.COMPLETED);
        retention("2025-02-01T00:00:00Z").run();
        store.sql("UPDATE tool_audit_logs_rest SET agent_id = 'eve' WHERE NOT allowed");

        assertThat(store.queries().verify().faults())
                .extracting(ChainFault::kind)
                .containsExactly(ChainFault.Kind.CHANGED);
    }

    @Test
    void concurrent_instances_drop_each_month_once() throws Exception {
        record("jan-refused", "2024-01-11T00:00:00Z", AuditLog.Status.REFUSED);
        try (var instances = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<YearMonth>>> runs = IntStream.range(0, 4)
                    .mapToObj(_ -> instances.submit(
                            () -> retention("2025-03-01T00:00:00Z").run()))
                    .toList();
            int dropped = 0;
            for (Future<List<YearMonth>> run : runs) {
                dropped += run.get().size();
            }
            assertThat(dropped).isEqualTo(2);
        }
        assertThat(store.requests(ALL)).containsExactly("jan-refused");
    }

    @Test
    void future_partitions_are_created_and_other_records_are_not_lost() throws Exception {
        retention("2030-05-15T00:00:00Z").run();
        record("may", "2030-05-20T00:00:00Z", AuditLog.Status.COMPLETED);
        record("far", "2050-01-01T00:00:00Z", AuditLog.Status.COMPLETED);

        assertThat(store.count("SELECT count(*) FROM tool_audit_logs_2030_05")).isEqualTo(1);
        assertThat(store.count("SELECT count(*) FROM tool_audit_logs_2030_07")).isZero();
        assertThat(store.count("SELECT count(*) FROM tool_audit_logs_rest")).isEqualTo(1);
        retention("2050-01-01T00:00:00Z").run(); // the partition of that month cannot be created, which is no error
        assertThat(store.requests(ALL)).containsExactly("far");
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void detaching_waits_for_a_reader_without_blocking_writers() throws Exception {
        record("jan-refused", "2024-01-11T00:00:00Z", AuditLog.Status.REFUSED);
        record("jan", "2024-01-12T00:00:00Z", AuditLog.Status.COMPLETED);
        try (Connection reader = store.database().dataSource().getConnection();
                var runs = Executors.newVirtualThreadPerTaskExecutor()) {
            reader.setAutoCommit(false);
            reader.createStatement()
                    .executeQuery("SELECT count(*) FROM tool_audit_logs")
                    .close();
            Future<List<YearMonth>> run =
                    runs.submit(() -> retention("2025-02-01T00:00:00Z").run());
            await().until(() -> store.count("SELECT count(*) FROM pg_inherits WHERE inhdetachpending") == 1);

            record("now", "2026-03-10T00:00:00Z", AuditLog.Status.COMPLETED);
            record("late", "2024-01-13T00:00:00Z", AuditLog.Status.COMPLETED);
            assertThat(run.isDone()).isFalse();
            assertThat(store.requests(ALL)).containsExactly("now", "late", "jan-refused");
            reader.commit();
            assertThat(run.get()).containsExactly(YearMonth.of(2024, 1));
        }
        assertThat(store.requests(ALL)).containsExactly("now", "late", "jan-refused");
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void a_detachment_interrupted_by_a_crash_is_finished_by_the_next_run() throws Exception {
        record("jan-refused", "2024-01-11T00:00:00Z", AuditLog.Status.REFUSED);
        record("jan", "2024-01-12T00:00:00Z", AuditLog.Status.COMPLETED);
        record("mar", "2024-03-10T00:00:00Z", AuditLog.Status.COMPLETED);
        try (Connection reader = store.database().dataSource().getConnection();
                var runs = Executors.newVirtualThreadPerTaskExecutor()) {
            reader.setAutoCommit(false);
            reader.createStatement()
                    .executeQuery("SELECT count(*) FROM tool_audit_logs")
                    .close();
            Future<List<YearMonth>> killed =
                    runs.submit(() -> retention("2025-02-01T00:00:00Z").run());
            await().until(() -> store.count("SELECT count(*) FROM pg_inherits WHERE inhdetachpending") == 1);
            store.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'ALTER TABLE%DETACH%'"
                    + " AND pid <> pg_backend_pid()");
            assertThatThrownBy(killed::get).isInstanceOf(ExecutionException.class);
            reader.commit();
        }
        assertThat(store.requests(ALL)).containsExactly("mar", "jan-refused");

        assertThat(retention("2025-02-01T00:00:00Z").run()).containsExactly(YearMonth.of(2024, 1));
        assertThat(store.requests(ALL)).containsExactly("mar", "jan-refused");
        assertThat(store.count("SELECT count(*) FROM pg_tables WHERE tablename = 'tool_audit_logs_2024_01'"))
                .isZero();
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void a_record_in_both_tables_is_read_once() throws Exception {
        record("jan-refused", "2024-01-11T00:00:00Z", AuditLog.Status.REFUSED);
        store.sql("INSERT INTO tool_audit_logs_rest SELECT * FROM tool_audit_logs");

        assertThat(store.requests(ALL)).containsExactly("jan-refused");
        assertThat(store.queries().export(ALL, _ -> {})).isEqualTo(1);
        assertThat(store.queries().verify().faults()).isEmpty();
        assertThat(store.queries().verify().records()).isEqualTo(1);
    }

    private void record(String request, String at, AuditLog.Status status) {
        store.log().record(AuditStore.call(request, "alice", "bash", Instant.parse(at), status));
    }

    private AuditRetention retention(String now) {
        return new AuditRetention(
                store.database().jdbi(), Clock.fixed(Instant.parse(now), ZoneOffset.UTC), RetentionSettings.defaults());
    }
}
