package dev.toolgate.store.audit.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.audit.retention.AuditRetention;
import dev.toolgate.store.audit.retention.RetentionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class AuditRollupTest {
    private AuditStore store;
    private AuditRollup rollup;
    private RandomRecords records;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        rollup = new AuditRollup(store.database().jdbi());
        records = new RandomRecords(store);
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void every_grain_agrees_with_a_count_over_the_records() {
        UUID first = records.chain(4000);
        records.chain(700);
        countAll(rollup);
        assertAgrees();

        records.append(first, 500); // late records of hours that are counted already
        store.sql("""
                INSERT INTO tool_audit_logs_rest SELECT * FROM tool_audit_logs LIMIT 5""");
        store.sql("DELETE FROM tool_audit_logs_rest");
        countAll(rollup);
        assertAgrees();
        assertThat(rollup.step()).isZero();
    }

    @Test
    void a_chain_longer_than_a_step_is_counted_in_several() {
        records.chain(12_000);

        assertThat(AuditRollup.isFull(rollup.step())).isTrue();
        assertThat(counted()).isEqualTo(10_000);
        assertThat(AuditRollup.isFull(rollup.step())).isFalse();
        assertAgrees();
    }

    @Test
    void uncommitted_counts_of_a_dead_instance_are_made_by_another() throws Exception {
        records.chain(500);
        try (AuditStore second = AuditStore.open(store.url());
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                Handle blocking = store.database().jdbi().open()) {
            blocking.begin();
            blocking.execute("LOCK TABLE audit_rollup_positions IN EXCLUSIVE MODE");
            Future<Long> dying = threads.submit(rollup::step);
            await().until(() -> second.count("SELECT count(*) FROM pg_stat_activity WHERE " + WAITING) == 1);
            assertThat(new AuditRollup(second.database().jdbi()).step()).isZero(); // the other one holds the lock

            second.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE " + WAITING);
            assertThatThrownBy(dying::get).isInstanceOf(ExecutionException.class);
            blocking.rollback();

            assertThat(counted()).isZero();
            assertThat(new AuditRollup(second.database().jdbi()).step()).isGreaterThanOrEqualTo(500);
            assertAgrees();
        }
    }

    private static final String WAITING =
            "datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO audit_rollup_positions%'";

    @Test
    void two_instances_and_rebuilds_count_every_record_once_during_calls() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        UUID growing = records.chain(100);
        try (AuditStore second = AuditStore.open(store.url());
                RollupKeeper _ = new RollupKeeper(rollup, Duration.ofMillis(5));
                RollupKeeper _ =
                        new RollupKeeper(new AuditRollup(second.database().jdbi()), Duration.ofMillis(5));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writing = threads.submit(() -> {
                for (int i = 0; i < 60; i++) {
                    records.append(growing, 37);
                    store.log().record(AuditStore.completed("real-" + i));
                }
                return over.getAndSet(true);
            });
            while (!over.get()) {
                rollup.rebuild();
            }
            writing.get();
            await().until(() -> counted() == 100 + 60 * 38);
        }
        assertAgrees();
    }

    @Test
    void a_keeper_counts_in_the_background_until_it_is_closed() {
        try (RollupKeeper _ = new RollupKeeper(rollup, Duration.ofMillis(5))) {
            UUID chain = records.chain(11_000);
            await().until(() -> counted() == 11_000);
            records.append(chain, 10);
            await().until(() -> counted() == 11_010);
        }
        assertAgrees();
    }

    @Test
    void a_rebuild_repairs_wrong_counts_and_only_one_runs_at_a_time() {
        records.chain(800);
        countAll(rollup);
        store.sql("UPDATE audit_rollup SET records = records + 3 WHERE grain = 'hour'");
        store.sql("DELETE FROM audit_rollup WHERE grain = 'cell_hour'");

        assertThat(rollup.rebuild()).isEqualTo(800);
        assertAgrees();
        try (Handle other = store.database().jdbi().open()) {
            other.execute("SELECT pg_advisory_lock(21612, 0)");
            assertThatThrownBy(rollup::rebuild).isInstanceOf(AuditRollup.RebuildRunning.class);
            other.execute("SELECT pg_advisory_unlock(21612, 0)");
        }
    }

    @Test
    void what_retention_removes_is_no_longer_counted() throws Exception {
        store.sql("SELECT create_audit_partitions('2024-01-01', 4)");
        record("jan", "2024-01-10T10:10:00Z", AuditLog.Status.COMPLETED);
        record("jan-refused", "2024-01-10T10:20:00Z", AuditLog.Status.REFUSED);
        record("mar", "2024-03-10T00:00:00Z", AuditLog.Status.COMPLETED);
        countAll(rollup);

        retain("2025-02-01");
        assertThat(counted()).isEqualTo(2);
        assertAgrees();
        retain("2025-02-02"); // nothing left to do
        assertAgrees();
        retain("2027-02-01");
        assertThat(counted()).isZero();
        assertAgrees();
    }

    private void retain(String day) throws Exception {
        LocalDate today = LocalDate.parse(day);
        Period keep = Period.ofYears(1);
        Period keepRefused = Period.ofYears(2);
        RetentionSettings settings = new RetentionSettings(keep, keepRefused, Duration.ofDays(1), null);
        new AuditRetention(
                        store.database().jdbi(),
                        Clock.fixed(today.atStartOfDay().toInstant(ZoneOffset.UTC), ZoneOffset.UTC),
                        settings)
                .run();
        rollup.followRetention(today, keep, keepRefused);
    }

    private void record(String request, String at, AuditLog.Status status) {
        store.log().record(AuditStore.call(request, "alice", "bash", Instant.parse(at), status));
    }

    private static void countAll(AuditRollup rollup) {
        while (AuditRollup.isFull(rollup.step())) {
            // until no records are left to count
        }
    }

    private long counted() {
        return store.count("SELECT coalesce(sum(records), 0) FROM audit_rollup WHERE grain = 'hour'");
    }

    private void assertAgrees() {
        for (Grain grain : Grain.values()) {
            boolean isDay = grain == Grain.TOOL_DAY || grain == Grain.AGENT_DAY;
            String agent = grain == Grain.CELL_HOUR || grain == Grain.AGENT_DAY ? "agent_id" : "''";
            String tool = grain == Grain.HOUR || grain == Grain.AGENT_DAY ? "''" : "tool_name";
            List<String> expected = rows("""
                    SELECT (tenant_id, agent, tool, since, kind, status, allowed, error, count(*), max(timestamp),
                        count(execution_time_ms), coalesce(sum(execution_time_ms), 0), coalesce(sum(cost), 0))::text
                    FROM (SELECT *, %s AS agent, %s AS tool, date_trunc('%s', timestamp, 'UTC') AS since,
                              coalesce(error_code, '') AS error
                          FROM %s) AS each
                    GROUP BY tenant_id, agent, tool, since, kind, status, allowed, error""".formatted(agent, tool, isDay ? "day" : "hour", AuditTables.ALL));
            assertThat(rows("""
                            SELECT (tenant_id, agent_id, tool_name, since, kind, status, allowed, error_code, records, last_at, timed,
                                duration_ms, cost)::text FROM audit_rollup WHERE grain = '%s'""".formatted(grain.stored())))
                    .as(grain.stored())
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private List<String> rows(String sql) {
        return store.database().jdbi().withHandle(handle -> handle.createQuery(sql)
                .mapTo(String.class)
                .list());
    }
}
