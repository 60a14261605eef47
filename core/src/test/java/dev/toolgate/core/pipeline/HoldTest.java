package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Gate.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallJson;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.decision.Grants;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class HoldTest {
    private final Gate gate = new Gate();
    private final Call call = Gate.call("echo", Map.of("text", "hi"));

    @BeforeEach
    void every_call_of_echo_needs_an_approval() {
        gate.with(EchoTool.safe());
        gate.grants.grant(ALICE.tenant(), ALICE.agent(), "echo", Grants.Grant.of(Grants.Approval.REQUIRED, null));
    }

    @Test
    void waits_for_approval_and_records_who_when_and_why() throws Exception {
        Future<Answer> answer = inBackground(call);
        ApprovalRequest question = firstQuestion();

        assertThat(question.preview()).isEqualTo("would say hi");
        assertThat(say(question, ApprovalDesk.Choice.APPROVE, "fine"))
                .isInstanceOf(ApprovalDesk.VoteResult.Decided.class);

        assertThat(answer.get().asOutcome()).isInstanceOf(Outcome.Completed.class);
        assertThat(gate.audit.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.approval().by()).isEqualTo("carol");
            assertThat(entry.approval().reason()).isEqualTo("fine");
            assertThat(entry.approval().at()).isNotNull();
        });
    }

    @Test
    void a_denial_refuses_with_its_reason() throws Exception {
        Future<Answer> answer = inBackground(call);
        say(firstQuestion(), ApprovalDesk.Choice.DENY, "not today");

        assertThat(answer.get().asOutcome()).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
            assertThat(refused.failure().code()).isEqualTo(ErrorCode.APPROVAL_DENIED);
            assertThat(refused.failure().message()).contains("not today");
        });
    }

    @Test
    void a_timeout_refuses_and_closes_the_request() {
        gate.timeout = Duration.ofMillis(10);

        assertThat(code(gate.send(call))).isEqualTo(ErrorCode.APPROVAL_TIMEOUT);
        ApprovalRequest late = gate.approvals
                .list(ALICE.tenant(), ApprovalDesk.Filter.ALL, null, 1)
                .getFirst();
        assertThat(say(late, ApprovalDesk.Choice.APPROVE, null)).isInstanceOf(ApprovalDesk.VoteResult.TooLate.class);
    }

    @Test
    void cancelling_ends_the_wait_and_withdraws_the_request() throws Exception {
        Future<Answer> answer = inBackground(call);
        ApprovalRequest question = firstQuestion();
        call.cancellation().cancel();

        assertThat(answer.get().asOutcome()).isInstanceOf(Outcome.Refused.class);
        assertThat(gate.approvals.open()).isEmpty();
        assertThat(say(question, ApprovalDesk.Choice.APPROVE, null))
                .isInstanceOf(ApprovalDesk.VoteResult.TooLate.class);
    }

    @Test
    void an_interrupted_wait_withdraws_the_request_of_a_caller_that_cannot_return() throws Exception {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Thread waiting =
                Thread.startVirtualThread(() -> answer.complete(gate.send(call.held(Call.WhenHeld.WAIT_OR_WITHDRAW))));
        ApprovalRequest question = firstQuestion();
        waiting.interrupt();

        assertThat(code(answer.get())).isEqualTo(ErrorCode.APPROVAL_DENIED);
        assertThat(say(question, ApprovalDesk.Choice.APPROVE, null))
                .isInstanceOf(ApprovalDesk.VoteResult.TooLate.class);
        assertThat(gate.audit.entries()).singleElement().satisfies(entry -> assertThat(entry.status())
                .isEqualTo(AuditLog.Status.REFUSED));
    }

    @Test
    void a_stopping_server_withdraws_the_request_of_a_caller_that_cannot_return() {
        gate.asking = (question, lifetime) -> new Approvals.Reply.Asked(
                new QuestionAtStop(((Approvals.Reply.Asked) gate.approvals.ask(question, lifetime)).question()));

        assertThat(code(gate.send(call))).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
        assertThat(gate.approvals.open()).hasSize(1);
        Answer withdrawn = gate.send(Gate.call("echo", Map.of("text", "ho")).held(Call.WhenHeld.WAIT_OR_WITHDRAW));
        assertThat(code(withdrawn)).isEqualTo(ErrorCode.APPROVAL_DENIED);
        assertThat(gate.approvals.open()).hasSize(1);
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void an_interrupted_wait_leaves_other_requests_pending() throws Exception {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Thread waiting = Thread.startVirtualThread(() -> answer.complete(gate.send(call)));
        ApprovalRequest question = firstQuestion();
        waiting.interrupt();

        assertThat(code(answer.get())).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
        assertThat(say(question, ApprovalDesk.Choice.APPROVE, null))
                .isInstanceOf(ApprovalDesk.VoteResult.Decided.class);
        assertThat(gate.audit.entries()).isEmpty();
    }

    @Test
    void an_approved_call_is_not_resumed_if_its_caller_cannot_return() {
        HeldQuestion question = held(call);
        say(firstQuestion(), ApprovalDesk.Choice.APPROVE, "fine");

        Call stored = CallJson.read(CallJson.write(call.held(Call.WhenHeld.WAIT_OR_WITHDRAW)));
        Answer resumed = gate.pipeline().resume(stored, question, answered(question));

        assertThat(code(resumed)).isEqualTo(ErrorCode.APPROVAL_DENIED);
        assertThat(question.claim()).isFalse();
        assertThat(gate.audit.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.status()).isEqualTo(AuditLog.Status.REFUSED);
            assertThat(entry.approval().by()).isEqualTo("carol");
        });
    }

    @Test
    void secrets_in_arguments_are_not_shown() {
        Answer held =
                gate.send(Gate.call("echo", Map.of("text", "password=hunter22")).held(Call.WhenHeld.RETURN));

        assertThat(held).isInstanceOf(Answer.Held.class);
        assertThat(firstQuestion().arguments().toString() + firstQuestion().preview())
                .doesNotContain("hunter22")
                .contains("[redacted: 8 characters]");
        assertThat(firstQuestion().maskedCharacters()).isEqualTo(8);
    }

    @Test
    void nothing_is_hidden_from_the_approver() {
        gate.send(Gate.call("echo", Map.of("text", "rm x\u202E\u001B[2K\r" + " ".repeat(900) + "ls"))
                .held(Call.WhenHeld.RETURN));

        assertThat(firstQuestion().preview()).isEqualTo("would say rm x\\u{202e}\\u{1b}[2K\\u{d}[900 blanks]ls");
        assertThat(firstQuestion().arguments().path("text").stringValue())
                .isEqualTo("rm x\\u{202e}\\u{1b}[2K\\u{d}[900 blanks]ls");
    }

    @Test
    void a_returning_caller_gets_the_id_of_the_approval_request() {
        Answer held = gate.send(call.held(Call.WhenHeld.RETURN));

        assertThat(code(held)).isEqualTo(ErrorCode.APPROVAL_REQUIRED);
        assertThat(held.logged()).isFalse();
        assertThat(held).isInstanceOfSatisfying(Answer.Held.class, where -> assertThat(where.question())
                .isEqualTo(firstQuestion().id()));
        assertThat(gate.audit.entries()).isEmpty();
    }

    @Test
    void a_held_call_resumes_with_the_answer_and_stores_its_outcome() {
        HeldQuestion question = held(call);
        say(firstQuestion(), ApprovalDesk.Choice.APPROVE, null);

        Call stored = CallJson.read(CallJson.write(call));
        Answer first = gate.pipeline().resume(stored, question, answered(question));
        Answer second = gate.pipeline().resume(stored, question, answered(question));

        assertThat(first.asOutcome()).isInstanceOf(Outcome.Completed.class);
        assertThat(second.asOutcome()).isEqualTo(first.asOutcome());
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void a_denial_holds_even_if_approval_is_no_longer_needed() {
        HeldQuestion question = held(call);
        say(firstQuestion(), ApprovalDesk.Choice.DENY, null);
        gate.granting("echo");

        Answer resumed = gate.pipeline().resume(CallJson.read(CallJson.write(call)), question, answered(question));

        assertThat(code(resumed)).isEqualTo(ErrorCode.APPROVAL_DENIED);
    }

    @Test
    void an_approval_does_not_help_once_the_grant_is_revoked() {
        HeldQuestion question = held(call);
        say(firstQuestion(), ApprovalDesk.Choice.APPROVE, null);
        gate.grants.revoke(ALICE.tenant(), ALICE.agent(), "echo");

        Answer resumed = gate.pipeline().resume(CallJson.read(CallJson.write(call)), question, answered(question));

        assertThat(code(resumed)).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void a_call_that_loses_the_claim_does_not_run() {
        HeldQuestion question = held(call);
        say(firstQuestion(), ApprovalDesk.Choice.APPROVE, null);
        assertThat(question.claim()).isTrue();

        Answer loser = gate.pipeline().resume(CallJson.read(CallJson.write(call)), question, answered(question));

        assertThat(code(loser)).isEqualTo(ErrorCode.REQUEST_RUNNING);
        assertThat(gate.audit.entries()).isEmpty();
    }

    @Test
    void a_different_call_under_the_same_request_id_is_refused() {
        gate.send(call.as(new RequestId("r1")).held(Call.WhenHeld.RETURN));
        Answer other = gate.send(Gate.call("echo", Map.of("text", "other"))
                .as(new RequestId("r1"))
                .held(Call.WhenHeld.RETURN));

        assertThat(code(other)).isEqualTo(ErrorCode.REQUEST_ID_TAKEN);
        assertThat(gate.approvals.open()).hasSize(1);
    }

    @Test
    void a_changed_argument_needs_a_new_approval() {
        held(call);
        say(firstQuestion(), ApprovalDesk.Choice.APPROVE, null);

        Answer changed = gate.send(Gate.call("echo", Map.of("text", "ho")).held(Call.WhenHeld.RETURN));

        assertThat(changed).isInstanceOf(Answer.Held.class);
        assertThat(gate.approvals.open()).hasSize(1);
    }

    private HeldQuestion held(Call toHold) {
        AtomicReference<HeldQuestion> caught = new AtomicReference<>();
        gate.asking = (question, lifetime) -> {
            Approvals.Reply reply = gate.approvals.ask(question, lifetime);
            caught.set(((Approvals.Reply.Asked) reply).question());
            return reply;
        };
        assertThat(gate.send(toHold.held(Call.WhenHeld.RETURN))).isInstanceOf(Answer.Held.class);
        return caught.get();
    }

    private static Approvals.Answer answered(HeldQuestion question) {
        try {
            return question.await(Duration.ZERO).orElseThrow();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private ApprovalDesk.VoteResult say(ApprovalRequest question, ApprovalDesk.Choice choice, @Nullable String reason) {
        return gate.approvals.answer(ALICE.tenant(), question.id(), ApprovalDesk.Vote.once(choice, "carol", reason));
    }

    private static ErrorCode code(Answer answer) {
        return Answers.problem(answer).code();
    }

    private Future<Answer> inBackground(Call sent) {
        CompletableFuture<Answer> result = new CompletableFuture<>();
        Thread.startVirtualThread(() -> result.complete(gate.send(sent)));
        return result;
    }

    private ApprovalRequest firstQuestion() {
        while (gate.approvals.open().isEmpty()) {
            Thread.onSpinWait();
        }
        return gate.approvals.open().iterator().next();
    }
}
