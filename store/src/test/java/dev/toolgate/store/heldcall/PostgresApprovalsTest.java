package dev.toolgate.store.heldcall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalDesk.Choice;
import dev.toolgate.core.approval.ApprovalDesk.Vote;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.ApprovalsContract;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.instance.RunningInstance;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresApprovalsTest extends ApprovalsContract {
    private Database database;
    private PostgresApprovals approvals;

    @BeforeEach
    void begin() throws IOException {
        database = Database.open(Shared.DATABASE);
        sql("TRUNCATE tenants, approvals, instances, request_keys CASCADE");
        sql("INSERT INTO tenants (tenant_id, name) VALUES ('default', 'Default'), ('other', 'Other')");
        sql("INSERT INTO agents (tenant_id, agent_id) VALUES ('default', 'asker')");
        approvals = instance();
    }

    @AfterEach
    void end() throws IOException {
        approvals.close();
        database.close();
    }

    /** Another instance each time. */
    private PostgresApprovals instance() {
        return new PostgresApprovals(database.jdbi(), RunningInstance.start(database.listener(), "here"));
    }

    @Override
    protected Approvals approvals() {
        return approvals;
    }

    @Override
    protected ApprovalDesk desk() {
        return new PostgresApprovalDesk(database.jdbi());
    }

    @Test
    void an_answer_is_found_without_a_notification() throws Exception {
        HeldQuestion held = ask(question("r1", "one"));
        CompletableFuture<Optional<Approvals.Answer>> waiting = waitFor(held);
        sql("UPDATE approvals SET verdict = 'APPROVED', answered_at = now(), answered_by = 'carol'");

        assertThat(waiting.get())
                .hasValueSatisfying(answer -> assertThat(answer.by()).isEqualTo("carol"));
    }

    @Test
    void an_answer_on_one_instance_wakes_callers_on_another() throws Exception {
        try (PostgresApprovals elsewhere = instance()) {
            HeldQuestion held = ask(question("r1", "one"));
            HeldQuestion there =
                    ((Approvals.Reply.Asked) elsewhere.ask(question("r1", "one"), Duration.ofMinutes(1))).question();
            assertThat(there.id()).isEqualTo(held.id());
            CompletableFuture<Optional<Approvals.Answer>> here = waitFor(held);
            CompletableFuture<Optional<Approvals.Answer>> both = waitFor(there);
            desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null));

            assertThat(here.get()).isPresent();
            assertThat(both.get()).isPresent();
            assertThat(List.of(held.claim(), there.claim())).containsOnlyOnce(true);
        }
    }

    @Test
    void a_stopping_instance_releases_its_callers_and_keeps_the_request() {
        HeldQuestion held = ask(question("r1", "one"));
        CompletableFuture<Optional<Approvals.Answer>> waiting = waitFor(held);
        await().until(() -> count("waiter IS NOT NULL") == 1);
        approvals.close();

        assertThat(waiting)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(Unavailable.class);
        assertThat(find(held.id()).state()).isEqualTo(ApprovalDesk.State.PENDING);
        assertThat(count("waiter IS NULL")).isOne();
    }

    @Test
    void an_answered_call_without_a_waiting_caller_is_resumed_once() {
        try (PostgresApprovals elsewhere = instance()) {
            List<Call> resumed = new CopyOnWriteArrayList<>();
            approvals.resumeWith(new RecordingResumer(resumed));
            elsewhere.resumeWith(new RecordingResumer(resumed));
            List<HeldQuestion> held = IntStream.range(0, 30)
                    .mapToObj(i -> ask(returning(question("r" + i, "one"))))
                    .toList();
            held.forEach(question -> desk().answer(TENANT, question.id(), Vote.once(Choice.APPROVE, "carol", null)));

            await().until(() -> resumed.size() >= 30);
            await().until(() -> count("ended_at IS NOT NULL AND held_call IS NULL") == 30);
            assertThat(resumed).extracting(call -> call.requestId().value()).doesNotHaveDuplicates();
            assertThat(resumed.getFirst().arguments().toString()).isEqualTo("{\"text\":\"one\"}");
        }
    }

    @Test
    void an_approved_permit_waits_for_its_caller_until_the_request_expires() {
        List<Call> resumed = new CopyOnWriteArrayList<>();
        approvals.resumeWith(new RecordingResumer(resumed));
        HeldQuestion permit = ask(permit(returning(question("permit", "one"))));
        HeldQuestion refused = ask(permit(returning(question("refused", "one"))));
        HeldQuestion run = ask(returning(question("run", "one")));
        desk().answer(TENANT, permit.id(), Vote.once(Choice.APPROVE, "carol", null));
        desk().answer(TENANT, refused.id(), Vote.once(Choice.DENY, "carol", null));
        desk().answer(TENANT, run.id(), Vote.once(Choice.APPROVE, "carol", null));

        await().until(() -> resumed.size() == 2); // the permit was answered first, and would have come with them
        assertThat(resumed).extracting(call -> call.requestId().value()).containsExactlyInAnyOrder("refused", "run");

        sql("UPDATE approvals SET expires_at = now() - interval '1 second' WHERE request_id = 'permit'");

        await().until(() -> resumed.size() == 3);
        assertThat(resumed.getLast().permitFor()).isEqualTo(Duration.ofMinutes(5));
        assertThat(count("request_id = 'permit' AND verdict = 'TIMED_OUT' AND answered_by = 'carol'"))
                .isOne();
        assertThat(permit.claim()).isFalse();
    }

    private static Approvals.Question permit(Approvals.Question question) {
        return of(question, question.call().permittedFor(Duration.ofMinutes(5)));
    }

    @Test
    void an_answered_call_of_a_dead_instance_is_resumed_by_another() {
        HeldQuestion held = ask(question("r1", "one")); // its caller waits on an instance without a heartbeat
        sql("UPDATE approvals SET waiter = gen_random_uuid()");
        List<Call> resumed = new CopyOnWriteArrayList<>();
        approvals.resumeWith(new RecordingResumer(resumed));
        desk().answer(TENANT, held.id(), Vote.once(Choice.DENY, "carol", null));

        await().atMost(Duration.ofSeconds(20)).until(() -> resumed.size() == 1);
    }

    @Test
    void a_request_whose_caller_cannot_return_is_withdrawn_with_it() {
        HeldQuestion here = ask(held(question("here", "one"), Call.WhenHeld.WAIT_OR_WITHDRAW));
        HeldQuestion gone = ask(held(question("gone", "one"), Call.WhenHeld.WAIT_OR_WITHDRAW));
        HeldQuestion other = ask(question("other", "one"));
        sql("UPDATE approvals SET waiter = gen_random_uuid() WHERE request_id <> 'here'");
        List<Call> resumed = new CopyOnWriteArrayList<>();
        approvals.resumeWith(new RecordingResumer(resumed));

        await().atMost(Duration.ofSeconds(20)).until(() -> resumed.size() == 1);
        assertThat(resumed.getFirst().requestId().value()).isEqualTo("gone");
        assertThat(resumed.getFirst().whenHeld()).isEqualTo(Call.WhenHeld.WAIT_OR_WITHDRAW);
        assertThat(find(gone.id()).state()).isEqualTo(ApprovalDesk.State.WITHDRAWN);
        assertThat(desk().answer(TENANT, gone.id(), Vote.once(Choice.APPROVE, "carol", null)))
                .isInstanceOf(ApprovalDesk.VoteResult.TooLate.class);
        assertThat(find(here.id()).state()).isEqualTo(ApprovalDesk.State.PENDING);
        assertThat(find(other.id()).state()).isEqualTo(ApprovalDesk.State.PENDING);
    }

    @Test
    void a_call_withdrawn_by_a_dead_instance_is_not_interrupted() {
        HeldQuestion held = ask(question("r1", "one"));
        held.withdraw();
        sql("UPDATE approvals SET claimed_by = gen_random_uuid(), waiter = gen_random_uuid()");
        List<Call> resumed = new CopyOnWriteArrayList<>();
        List<Call> interrupted = new CopyOnWriteArrayList<>();
        approvals.resumeWith(new RecordingResumer(resumed, interrupted));

        await().atMost(Duration.ofSeconds(20)).until(() -> resumed.size() == 1);
        assertThat(interrupted).isEmpty();
    }

    @Test
    void a_call_started_by_a_dead_instance_is_not_run_again() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null));
        sql("UPDATE approvals SET claimed_by = gen_random_uuid(), claimed_at = now(), waiter = gen_random_uuid()");
        List<Call> resumed = new CopyOnWriteArrayList<>();
        List<Call> interrupted = new CopyOnWriteArrayList<>();
        approvals.resumeWith(new RecordingResumer(resumed, interrupted));

        await().atMost(Duration.ofSeconds(20)).until(() -> interrupted.size() == 1);
        assertThat(resumed).isEmpty();
    }

    @Test
    void a_call_with_a_recorded_outcome_is_ended() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null));
        assertThat(held.claim()).isTrue();
        sql("UPDATE approvals SET answered_at = now() - interval '1 minute'");
        sql("UPDATE request_keys SET outcome = '{}', completed_at = now()");

        await().atMost(Duration.ofSeconds(20)).until(() -> count("ended_at IS NOT NULL") == 1);
    }

    @Test
    void a_released_approval_can_be_claimed_again() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null));
        assertThat(held.claim()).isTrue();
        held.releaseClaim();

        await().until(held::claim);
    }

    @Test
    void standing_approvals_end_with_their_agent() {
        HeldQuestion held = ask(question("r1", "one"));
        desk().answer(TENANT, held.id(), new Vote(Choice.APPROVE, "carol", null, ApprovalDesk.Scope.AGENT, null));
        sql("DELETE FROM agents");
        sql("INSERT INTO agents (tenant_id, agent_id) VALUES ('default', 'asker')");

        assertThat(approvals.ask(question("r2", "two"), Duration.ofMinutes(1)))
                .isInstanceOf(Approvals.Reply.Asked.class);
    }

    @Test
    void the_number_of_open_requests_per_tenant_is_limited() {
        sql("INSERT INTO approvals (tenant_id, request_id, agent_id, tool_name, arguments, arguments_digest, reason,"
                + " expires_at) SELECT 'default', 'many-' || i, 'asker', 'write', '{}', '\\x00', 'why',"
                + " now() + interval '1 hour' FROM generate_series(1, 10000) AS i");
        await().until(() -> approvals.open() >= 10_000);

        assertThatThrownBy(() -> approvals.ask(question("r1", "one"), Duration.ofMinutes(1)))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("Too many");
        sql("UPDATE approvals SET tenant_id = 'other'");
        assertThat(approvals.ask(question("r1", "one"), Duration.ofMinutes(1)))
                .isInstanceOf(Approvals.Reply.Asked.class);
    }

    @Test
    void retention_deletes_old_ended_requests_but_no_held_ones() {
        ask(question("ended", "one")).ended();
        ask(question("held", "one"));
        await().until(() -> count("ended_at IS NOT NULL") == 1);
        sql("UPDATE approvals SET asked_at = now() - interval '2 days'");
        new ApprovalRetention(database.jdbi(), Duration.ofDays(3)).run();
        assertThat(count("true")).isEqualTo(2);
        new ApprovalRetention(database.jdbi(), Duration.ofDays(1)).run();

        assertThat(count("request_id = 'held'")).isOne();
        assertThat(count("true")).isOne();
    }

    @Test
    void subscribers_get_requests_and_answers_once() throws Exception {
        try (ApprovalSubscription subscription = approvals.feed().subscribe(_ -> true)) {
            HeldQuestion held = ask(question("r1", "one"));
            assertThat(subscription.next(Duration.ofSeconds(10)))
                    .hasValueSatisfying(event -> assertThat(event.kind()).isEqualTo(ApprovalEvent.Kind.OPENED));
            desk().answer(TENANT, held.id(), Vote.once(Choice.APPROVE, "carol", null));

            assertThat(subscription.next(Duration.ofSeconds(10))).hasValueSatisfying(event -> {
                assertThat(event.kind()).isEqualTo(ApprovalEvent.Kind.ANSWERED);
                assertThat(event.request().id()).isEqualTo(held.id());
            });
            assertThat(subscription.next(Duration.ofMillis(1200))).isEmpty();
        }
    }

    private static Approvals.Question returning(Approvals.Question question) {
        return held(question, Call.WhenHeld.RETURN);
    }

    private static Approvals.Question held(Approvals.Question question, Call.WhenHeld whenHeld) {
        return of(question, question.call().held(whenHeld));
    }

    private static Approvals.Question of(Approvals.Question question, Call call) {
        return Approvals.Question.forOneReason(
                call,
                question.key(),
                question.tool(),
                question.arguments(),
                question.reason(),
                question.approvalRuleId(),
                question.preview());
    }

    private static CompletableFuture<Optional<Approvals.Answer>> waitFor(HeldQuestion held) {
        CompletableFuture<Optional<Approvals.Answer>> result = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                result.complete(held.await(Duration.ofSeconds(30)));
            } catch (InterruptedException | RuntimeException failed) {
                result.completeExceptionally(failed);
            }
        });
        return result;
    }

    private void sql(String statement) {
        database.jdbi().useHandle(handle -> handle.execute(statement));
    }

    private long count(String condition) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT count(*) FROM approvals WHERE " + condition)
                        .mapTo(Long.class)
                        .one());
    }

    private static final class Shared {
        static final DatabaseUrl DATABASE = fresh();

        static DatabaseUrl fresh() {
            try {
                return MigratedDatabase.lasting();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
