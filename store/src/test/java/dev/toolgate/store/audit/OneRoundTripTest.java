package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.AuditLog.Claim;
import dev.toolgate.core.audit.AuditLog.KeptAnswer;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.write.NotRecorded;
import dev.toolgate.store.audit.write.PostgresAuditLog;
import dev.toolgate.store.connection.DatabaseUrl;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls and intents are written and committed in one round trip: atomically, and never twice. */
@Timeout(60)
class OneRoundTripTest {
    private static final Outcome DONE = new Outcome.Completed(Output.text("done"));

    @Test
    void a_record_that_cannot_be_appended_leaves_no_key() throws Exception {
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
    void a_record_is_written_once_if_the_connection_was_lost_before() throws Exception {
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
    void a_committed_record_whose_response_was_lost_is_not_written_again() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (FaultyProxy proxy = new FaultyProxy(url);
                AuditStore direct = AuditStore.open(url);
                AuditStore store = AuditStore.open(proxy.to(url))) {
            record(store, "before");
            proxy.loseAnswerTo("INSERT INTO tool_audit_logs");

            record(store, "arrived");
            assertThat(proxy.hasLostAnAnswer()).isTrue();
            record(store, "after");
            assertThat(direct.requests(AuditFilter.of(AuditStore.ACME)))
                    .containsExactlyInAnyOrder("before", "arrived", "after");
            assertThat(direct.queries().verify().faults()).isEmpty();
        }
    }

    @Test
    void a_committed_record_is_not_rewritten_for_a_dead_instance() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (FaultyProxy proxy = new FaultyProxy(url);
                AuditStore other = AuditStore.open(url);
                Database throughProxy = Database.open(proxy.to(url));
                PostgresAuditLog log = new PostgresAuditLog(
                        () -> {
                            if (proxy.hasLostAnAnswer()) {
                                await().until(() ->
                                        other.count("SELECT count(*) FROM audit_instances WHERE ended_at IS NOT NULL")
                                                == 1);
                            }
                            return throughProxy.unpooled().open();
                        },
                        Duration.ofSeconds(30))) {
            proxy.loseAnswerTo("INSERT INTO tool_audit_logs");

            record(log, "arrived");
            record(log, "after");
            assertThat(other.requests(AuditFilter.of(AuditStore.ACME))).containsExactlyInAnyOrder("arrived", "after");
            assertThat(other.count("SELECT count(DISTINCT instance_id) FROM tool_audit_logs"))
                    .isEqualTo(2);
            assertThat(other.queries().verify().faults()).isEmpty();
        }
    }

    @Test
    void a_committed_intent_whose_response_was_lost_is_not_written_again() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (FaultyProxy proxy = new FaultyProxy(url);
                AuditStore direct = AuditStore.open(url);
                AuditStore store = AuditStore.open(proxy.to(url))) {
            proxy.loseAnswerTo("INSERT INTO tool_intents");

            store.log().intend(AuditStore.intent("arrived"));
            assertThat(proxy.hasLostAnAnswer()).isTrue();
            assertThat(direct.openIntents()).hasSize(1);
            store.log().record(AuditStore.completed("arrived"));
            assertThat(direct.openIntents()).isEmpty();
            assertThat(direct.requests(AuditFilter.of(AuditStore.ACME))).containsExactly("arrived");
            assertThat(direct.queries().verify().faults()).isEmpty();
        }
    }

    @Test
    void an_intent_is_written_once_if_the_connection_was_lost_before() throws Exception {
        try (AuditStore store = AuditStore.open()) {
            record(store, "before");
            endConnections(store);

            store.log().intend(AuditStore.intent("after"));
            assertThat(store.openIntents()).hasSize(1);
        }
    }

    @Test
    void an_intent_is_refused_if_its_instance_was_declared_dead() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (FaultyProxy proxy = new FaultyProxy(url);
                AuditStore other = AuditStore.open(url);
                Database throughProxy = Database.open(proxy.to(url));
                PostgresAuditLog log = new PostgresAuditLog(
                        () -> {
                            if (proxy.hasLostAnAnswer()) {
                                await().until(() ->
                                        other.count("SELECT count(*) FROM audit_instances WHERE ended_at IS NOT NULL")
                                                == 1);
                            }
                            return throughProxy.unpooled().open();
                        },
                        Duration.ofSeconds(30))) {
            proxy.loseAnswerTo("INSERT INTO tool_intents");

            assertThatThrownBy(() -> log.intend(AuditStore.intent("arrived"), null))
                    .isInstanceOf(NotRecorded.class);
            assertThat(other.requests(AuditFilter.of(AuditStore.ACME))).containsExactly("arrived");
            assertThat(other.openIntents()).isEmpty();
            record(log, "after");
            assertThat(other.queries().verify().faults()).isEmpty();
        }
    }

    @Test
    void an_intent_is_not_written_for_an_instance_that_has_ended() throws Exception {
        try (AuditStore store = AuditStore.open()) {
            record(store, "before");
            store.sql("UPDATE audit_instances SET ended_at = CURRENT_TIMESTAMP");

            assertThatThrownBy(() -> store.log().intend(AuditStore.intent("refused")))
                    .isInstanceOf(NotRecorded.class)
                    .cause()
                    .hasMessageContaining("declared dead");
            assertThat(store.openIntents()).isEmpty();
        }
    }

    @Test
    void an_intent_whose_key_another_call_has_is_not_written() throws Exception {
        try (AuditStore store = AuditStore.open()) {
            record(store, "same");
            RequestKey key = key("same");

            assertThatThrownBy(() -> store.log().intend(AuditStore.intent("same"), key))
                    .isInstanceOf(RequestKeys.Taken.class);
            assertThat(store.openIntents()).isEmpty();
        }
    }

    @Test
    void a_started_call_completes_the_key_that_its_intent_took() throws Exception {
        try (AuditStore store = AuditStore.open()) {
            RequestKey key = key("started");
            store.log().intend(AuditStore.intent("started"), key);
            assertThat(store.count("SELECT count(*) FROM request_keys WHERE completed_at IS NULL"))
                    .isEqualTo(1);

            store.log()
                    .record(
                            AuditStore.completed("started"),
                            new KeptAnswer(key, DONE, Claim.HELD, AuditLog.Progress.STARTED));
            assertThat(store.count("SELECT count(*) FROM request_keys WHERE completed_at IS NOT NULL"
                            + " AND outcome IS NOT NULL"))
                    .isEqualTo(1);
            assertThat(store.openIntents()).isEmpty();
            assertThat(store.requests(AuditFilter.of(AuditStore.ACME))).containsExactly("started");
        }
    }

    @Test
    void intents_are_found_by_their_index_however_few_there_are() throws Exception {
        try (AuditStore store = AuditStore.open()) {
            long before = scans(store, "seq_scan");
            try (AuditStore writer = AuditStore.open(store.url())) {
                for (int i = 0; i < 20; i++) {
                    writer.log().intend(AuditStore.intent("call-" + i));
                    writer.log().record(AuditStore.completed("call-" + i));
                }
            }

            await().until(() -> scans(store, "idx_scan") >= 20); // a connection reports them when it is closed
            assertThat(scans(store, "seq_scan")).isEqualTo(before);
        }
    }

    private static long scans(AuditStore store, String kind) {
        return store.count(
                "SELECT coalesce(sum(" + kind + "), 0) FROM pg_stat_user_tables" + " WHERE relname = 'tool_intents'");
    }

    private static RequestKey key(String request) {
        return new RequestKey(AuditStore.ACME, AuditStore.ALICE, new RequestId(request), "ab".repeat(32));
    }

    private static void record(AuditStore store, String request) {
        record(store.log(), request);
    }

    private static void record(PostgresAuditLog log, String request) {
        log.record(AuditStore.completed(request), KeptAnswer.ofUnstarted(key(request), DONE, Claim.NEW));
    }

    private static void endConnections(AuditStore store) {
        store.sql("""
                SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND classid = 21607
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""");
    }
}
