package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog.Claim;
import dev.toolgate.core.audit.AuditLog.KeptAnswer;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.write.NotRecorded;
import dev.toolgate.store.audit.write.PostgresAuditLog;
import dev.toolgate.store.connection.DatabaseUrl;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls without intents are written and committed with one message: all of it or nothing, and never twice. */
@Timeout(60)
class OneRoundTripTest {
    private static final Outcome DONE = new Outcome.Completed(Output.text("done"));

    @Test
    void what_cannot_go_into_the_chain_leaves_no_key_behind() throws Exception {
        try (AuditStore store = AuditStore.open()) {
            record(store, "before");
            store.sql("UPDATE audit_instances SET last_sequence = last_sequence + 1");

            assertThatThrownBy(() -> record(store, "refused"))
                    .isInstanceOf(NotRecorded.class)
                    .cause()
                    .hasMessageContaining("declared dead");
            assertThat(store.count("SELECT count(*) FROM request_keys")).isEqualTo(1);
            assertThat(store.requests(AuditFilter.of(AuditStore.ACME))).containsExactly("before");
        }
    }

    @Test
    void a_record_whose_connection_was_lost_before_is_written_once() throws Exception {
        try (AuditStore store = AuditStore.open()) {
            record(store, "before");
            endConnections(store);

            record(store, "after");
            assertThat(store.requests(AuditFilter.of(AuditStore.ACME))).containsExactlyInAnyOrder("before", "after");
            assertThat(store.count("SELECT count(DISTINCT instance_id) FROM tool_audit_logs"))
                    .isEqualTo(1);
            assertThat(store.queries().verify().faults()).isEmpty();
        }
    }

    @Test
    void a_record_that_arrived_though_the_connection_was_lost_before_the_answer_counts_and_is_not_written_again()
            throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (CutCable cable = new CutCable(url);
                AuditStore direct = AuditStore.open(url);
                AuditStore store = AuditStore.open(cable.to(url))) {
            record(store, "before");
            cable.loseAnswerTo("INSERT INTO tool_audit_logs");

            record(store, "arrived");
            assertThat(cable.hasLostAnAnswer()).isTrue();
            record(store, "after");
            assertThat(direct.requests(AuditFilter.of(AuditStore.ACME)))
                    .containsExactlyInAnyOrder("before", "arrived", "after");
            assertThat(direct.queries().verify().faults()).isEmpty();
        }
    }

    @Test
    void a_record_that_arrived_counts_too_if_another_instance_has_declared_this_one_dead_meanwhile() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (CutCable cable = new CutCable(url);
                AuditStore other = AuditStore.open(url);
                Database byCable = Database.open(cable.to(url));
                PostgresAuditLog log = new PostgresAuditLog(
                        () -> {
                            if (cable.hasLostAnAnswer()) {
                                await().until(() ->
                                        other.count("SELECT count(*) FROM audit_instances WHERE ended_at IS NOT NULL")
                                                == 1);
                            }
                            return byCable.sessions().open();
                        },
                        Duration.ofSeconds(30))) {
            cable.loseAnswerTo("INSERT INTO tool_audit_logs");

            record(log, "arrived");
            record(log, "after");
            assertThat(other.requests(AuditFilter.of(AuditStore.ACME))).containsExactlyInAnyOrder("arrived", "after");
            assertThat(other.count("SELECT count(DISTINCT instance_id) FROM tool_audit_logs"))
                    .isEqualTo(2);
            assertThat(other.queries().verify().faults()).isEmpty();
        }
    }

    private static void record(AuditStore store, String request) {
        record(store.log(), request);
    }

    private static void record(PostgresAuditLog log, String request) {
        RequestKey key = new RequestKey(AuditStore.ACME, AuditStore.ALICE, new RequestId(request), "ab".repeat(32));
        log.record(AuditStore.completed(request), new KeptAnswer(key, DONE, Claim.NEW));
    }

    private static void endConnections(AuditStore store) {
        store.sql("""
                SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND classid = 21607
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""");
    }
}
