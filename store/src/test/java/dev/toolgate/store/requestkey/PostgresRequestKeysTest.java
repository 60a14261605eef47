package dev.toolgate.store.requestkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.AuditLog.Claim;
import dev.toolgate.core.audit.AuditLog.KeptAnswer;
import dev.toolgate.core.audit.AuditLog.Progress;
import dev.toolgate.core.audit.RequestKeysContract;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.core.call.RequestKeys.Earlier;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.write.AuditItem;
import dev.toolgate.store.audit.write.AuditWriter;
import dev.toolgate.store.audit.write.KeyOutcome;
import dev.toolgate.store.audit.write.NotRecorded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresRequestKeysTest extends RequestKeysContract {
    private static final Outcome DONE = new Outcome.Completed(Output.text("done"));
    private static final Earlier INTERRUPTED = new Earlier.SameCall(
            new Outcome.Failed(Failure.of(ErrorCode.TOOL_EXECUTION_FAILED, CallFacts.INTERRUPTED)));

    private AuditStore store;
    private PostgresRequestKeys keys;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        keys = new PostgresRequestKeys(store.database().unpooled(), Duration.ofSeconds(5));
    }

    @AfterEach
    void close() throws Exception {
        keys.close();
        store.close();
    }

    @Override
    protected AuditLog log() {
        return store.log();
    }

    @Override
    protected RequestKeys keys() {
        return keys;
    }

    @Override
    protected List<String> recorded() {
        return store.requests(AuditFilter.of(AuditStore.ACME));
    }

    @Test
    void of_equal_keys_in_one_batch_only_the_first_is_written() throws Exception {
        RequestKey key = key("r1", "a");
        AuditItem first = ended("r1", key);
        AuditItem again = ended("r1", key);
        AuditItem other = ended("r2", key("r2", "a"));
        AuditItem plain = new AuditItem.Ended(CallFacts.of(entry("r3")), null, null);
        try (AuditWriter writer = new AuditWriter(store.database().unpooled(), Duration.ofDays(1))) {
            Set<AuditItem> late = writer.write(List.of(first, again, other, plain));

            assertThat(late).hasSize(1);
            assertThat(late.contains(again)).isTrue();
            assertThat(late.contains(first)).isFalse();
            assertThat(writer.write(List.of(ended("r1", key), ended("r4", key("r4", "a")))))
                    .hasSize(1);
        }
        assertThat(recorded()).containsExactlyInAnyOrder("r1", "r2", "r3", "r4");
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void concurrent_instances_take_each_key_once_without_errors() throws Exception {
        Map<String, Integer> winners = new HashMap<>();
        try (AuditStore second = AuditStore.open(store.url());
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                for (AuditStore instance : List.of(store, second)) {
                    String request = "r" + i;
                    calls.add(callers.submit(() -> take(instance, request)));
                }
            }
            for (Future<String> call : calls) {
                winners.merge(call.get(), 1, Integer::sum);
            }
        }

        assertThat(winners).containsEntry("", 200).hasSize(201);
        assertThat(winners).allSatisfy((request, times) -> assertThat(times).isIn(1, 200));
        assertThat(recorded()).hasSize(200).doesNotHaveDuplicates();
    }

    private static String take(AuditStore instance, String request) {
        try {
            instance.log().record(entry(request), KeptAnswer.ofUnstarted(key(request, "a"), DONE, Claim.NEW));
            return request;
        } catch (RequestKeys.Taken late) {
            return "";
        }
    }

    @Test
    void of_concurrent_claims_on_two_gates_one_is_granted() throws Exception {
        try (PostgresRequestKeys second =
                        new PostgresRequestKeys(store.database().unpooled(), Duration.ofSeconds(5));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 50; round++) {
                RequestKey key = key("r" + round, "a");
                List<Future<Earlier>> claims = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    PostgresRequestKeys gate = i % 2 == 0 ? keys : second;
                    claims.add(callers.submit(() -> gate.claim(key)));
                }
                List<Earlier> answers = new ArrayList<>();
                for (Future<Earlier> claim : claims) {
                    answers.add(claim.get());
                }
                assertThat(answers)
                        .containsOnlyOnce(new Earlier.Nothing())
                        .containsOnly(new Earlier.Nothing(), new Earlier.StillRunning());
            }
        }
    }

    @Test
    void a_released_claim_can_be_taken_by_another_gate() {
        try (PostgresRequestKeys second =
                new PostgresRequestKeys(store.database().unpooled(), Duration.ofSeconds(5))) {
            RequestKey key = key("r1", "a");
            assertThat(keys.claim(key)).isEqualTo(new Earlier.Nothing());
            assertThat(second.claim(key)).isEqualTo(new Earlier.StillRunning());
            assertThat(second.claim(key("r1", "b"))).isEqualTo(new Earlier.StillRunning());

            keys.release(key);
            await().until(() -> second.claim(key), new Earlier.Nothing()::equals);
            assertThat(keys.claim(key)).isEqualTo(new Earlier.StillRunning());
        }
    }

    @Test
    void releasing_one_claim_does_not_affect_others() {
        try (PostgresRequestKeys second =
                new PostgresRequestKeys(store.database().unpooled(), Duration.ofSeconds(5))) {
            for (int round = 0; round < 20; round++) {
                RequestKey kept = key("kept-" + round, "a");
                RequestKey released = key("released-" + round, "a");
                RequestKey taken = key("taken-" + round, "a");
                assertThat(keys.claim(kept)).isEqualTo(new Earlier.Nothing());
                assertThat(keys.claim(released)).isEqualTo(new Earlier.Nothing());

                keys.release(released);
                assertThat(keys.claim(taken)).isEqualTo(new Earlier.Nothing());

                assertThat(second.claim(kept)).isEqualTo(new Earlier.StillRunning());
                assertThat(second.claim(taken)).isEqualTo(new Earlier.StillRunning());
                assertThat(second.claim(released)).isEqualTo(new Earlier.Nothing());
            }
        }
    }

    @Test
    void claims_end_with_their_gate() {
        PostgresRequestKeys dying = new PostgresRequestKeys(store.database().unpooled(), Duration.ofSeconds(5));
        RequestKey key = key("r1", "a");
        assertThat(dying.claim(key)).isEqualTo(new Earlier.Nothing());
        assertThat(keys.claim(key)).isEqualTo(new Earlier.StillRunning());
        dying.close();

        await().until(() -> keys.claim(key), new Earlier.Nothing()::equals);
    }

    @Test
    void a_claim_survives_a_lost_connection() {
        RequestKey key = key("r1", "a");
        assertThat(keys.claim(key)).isEqualTo(new Earlier.Nothing());
        store.sql("""
                SELECT pg_terminate_backend(pid) FROM pg_locks
                WHERE locktype = 'advisory' AND objsubid = 1
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())""");
        assertThat(keys.find(key("r2", "a"))).isEqualTo(new Earlier.Nothing()); // on a new connection

        try (PostgresRequestKeys second =
                new PostgresRequestKeys(store.database().unpooled(), Duration.ofSeconds(5))) {
            assertThat(second.claim(key)).isEqualTo(new Earlier.StillRunning());
            keys.release(key);
            await().until(() -> second.claim(key), new Earlier.Nothing()::equals);
        }
    }

    @Test
    void a_held_call_takes_over_its_key_when_it_runs() {
        RequestKey key = key("r1", "a");
        store.sql("""
                INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, held_by)
                VALUES ('acme', '%s', 'r1', decode('%s', 'hex'), gen_random_uuid())""".formatted(key.agent(), key.digest()));
        assertThat(keys.claim(key)).isEqualTo(new Earlier.Held());
        assertThat(keys.claim(key("r1", "b"))).isEqualTo(new Earlier.OtherCall());
        assertThatThrownBy(() -> log().intend(intent("r1"), key("r1", "b"))).isInstanceOf(RequestKeys.Taken.class);

        log().intend(intent("r1"), key);
        assertThat(keys.claim(key)).isEqualTo(new Earlier.StillRunning());
        log().record(entry("r1"), new KeptAnswer(key, DONE, Claim.HELD, Progress.STARTED));
        assertThat(keys.claim(key)).isEqualTo(new Earlier.SameCall(DONE));
    }

    @Test
    void a_held_call_that_never_started_is_recorded_once() {
        RequestKey key = key("r1", "a");
        store.sql("""
                INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, held_by)
                VALUES ('acme', '%s', 'r1', decode('%s', 'hex'), gen_random_uuid())""".formatted(key.agent(), key.digest()));
        log().record(entry("r1"), KeptAnswer.ofUnstarted(key, DONE, Claim.HELD));

        assertThatThrownBy(() -> log().record(entry("r1"), KeptAnswer.ofUnstarted(key, DONE, Claim.HELD)))
                .isInstanceOf(RequestKeys.Taken.class);
        assertThat(recorded()).containsExactly("r1");
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void repeating_a_call_of_a_dead_instance_reports_the_interruption() throws Exception {
        RequestKey key = key("begun", "a");
        AuditWriter killed = new AuditWriter(store.database().unpooled(), Duration.ofDays(1));
        killed.write(List.of(new AuditItem.Intended(1, CallFacts.of(intent("begun")), key)));
        assertThat(keys.find(key)).isEqualTo(new Earlier.StillRunning());
        killed.abort();

        await().until(() -> keys.find(key), INTERRUPTED::equals);
        assertThat(recorded()).containsExactly("begun");
    }

    @Test
    void repeating_a_call_without_a_recorded_outcome_reports_that() {
        RequestKey key = key("lost", "a");
        log().intend(intent("lost"), key);
        store.sql("""
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN IF NEW.status = ''COMPLETED'' THEN RAISE check_violation; END IF; RETURN NEW; END';
                CREATE TRIGGER refuse BEFORE INSERT ON tool_audit_logs FOR EACH ROW EXECUTE FUNCTION refuse()""");
        assertThatThrownBy(() -> log().record(entry("lost"), KeptAnswer.ofUnstarted(key, DONE, Claim.HELD)))
                .isInstanceOf(NotRecorded.class);

        await().until(() -> keys.find(key), INTERRUPTED::equals);
    }

    @Test
    void an_unconfirmed_intent_is_withdrawn_with_its_key() throws Exception {
        RequestKey key = key("unsure", "a");
        try (AuditWriter writer = new AuditWriter(store.database().unpooled(), Duration.ofDays(1))) {
            writer.write(List.of(new AuditItem.Intended(1, CallFacts.of(intent("unsure")), key)));
            writer.unfinished().withdraw(1);
            writer.unfinished().withdraw(2); // was never written
            writer.closeInterrupted();

            assertThat(writer.unfinished().withdrawn()).isEmpty();
        }
        assertThat(keys.find(key)).isEqualTo(new Earlier.Nothing());
        assertThat(store.count("SELECT count(*) FROM tool_intents")).isZero();
        assertThat(recorded()).isEmpty();
    }

    @Test
    void a_key_without_its_expired_outcome_is_still_taken() {
        RequestKey key = key("old", "a");
        log().record(entry("old"), KeptAnswer.ofUnstarted(key, DONE, Claim.NEW));
        store.sql("UPDATE request_keys SET outcome = NULL");

        assertThat(keys.find(key)).isEqualTo(new Earlier.Forgotten());
        assertThat(keys.find(key("old", "b"))).isEqualTo(new Earlier.OtherCall());
    }

    @Test
    void ids_with_unpaired_surrogates_can_be_keys() {
        RequestKey key = key("half \ud800 pair", "a");
        log().intend(intent("half \ud800 pair"), key);
        log().record(entry("half \ud800 pair"), KeptAnswer.ofUnstarted(key, DONE, Claim.HELD));

        assertThat(keys.find(key)).isEqualTo(new Earlier.SameCall(DONE));
    }

    @Test
    void concurrent_lookups_return_the_right_outcomes() throws Exception {
        for (int i = 0; i < 50; i++) {
            RequestKey key = key("r" + i, "a");
            log().record(
                            entry("r" + i),
                            KeptAnswer.ofUnstarted(key, new Outcome.Completed(Output.text("done " + i)), Claim.NEW));
        }
        List<Future<Earlier>> answers = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 1000; i++) {
                RequestKey key = key("r" + i % 100, "a");
                answers.add(callers.submit(() -> keys.find(key)));
            }
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(answers.get(i).get())
                    .isEqualTo(
                            i % 100 < 50
                                    ? new Earlier.SameCall(new Outcome.Completed(Output.text("done " + i % 100)))
                                    : new Earlier.Nothing());
        }
    }

    private static AuditItem ended(String request, RequestKey key) {
        return new AuditItem.Ended(
                CallFacts.of(entry(request)), null, KeyOutcome.of(KeptAnswer.ofUnstarted(key, DONE, Claim.NEW)));
    }
}
