package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Gate.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.port.Approvals;
import dev.toolgate.core.port.Grants;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
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
        gate.grants.grant(ALICE.tenant(), ALICE.agent(), "echo", new Grants.Grant(Grants.Approval.REQUIRED, null));
    }

    @Test
    void waits_for_a_yes_and_records_who_gave_it() throws Exception {
        Future<Answer> answer = inBackground();
        Approvals.Question question = firstQuestion();

        assertThat(question.preview()).isEqualTo("would say hi");
        assertThat(gate.approvals.answer(question.requestId(), Approvals.Verdict.APPROVED, "carol", null))
                .isTrue();

        assertThat(answer.get().outcome()).isInstanceOf(Outcome.Completed.class);
        assertThat(gate.audit.entries().getFirst().approvedBy()).isEqualTo("carol");
    }

    @Test
    void a_no_refuses_with_its_reason() throws Exception {
        Future<Answer> answer = inBackground();
        gate.approvals.answer(firstQuestion().requestId(), Approvals.Verdict.DENIED, "carol", "not today");

        assertThat(answer.get().outcome()).isInstanceOfSatisfying(Outcome.Refused.class, refused -> {
            assertThat(refused.failure().code()).isEqualTo(ErrorCode.APPROVAL_DENIED);
            assertThat(refused.failure().message()).contains("not today");
        });
    }

    @Test
    void no_answer_in_time_refuses() {
        gate.patience = Duration.ofMillis(10);

        assertThat(gate.send(call).outcome()).isInstanceOfSatisfying(Outcome.Refused.class, refused -> assertThat(
                        refused.failure().code())
                .isEqualTo(ErrorCode.APPROVAL_TIMEOUT));
        assertThat(gate.approvals.answer(call.requestId(), Approvals.Verdict.APPROVED, "carol", null))
                .isFalse();
    }

    @Test
    void cancelling_ends_the_wait() throws Exception {
        Future<Answer> answer = inBackground();
        firstQuestion();
        call.cancellation().cancel();

        assertThat(answer.get().outcome()).isInstanceOf(Outcome.Refused.class);
        assertThat(gate.approvals.open()).isEmpty();
    }

    private Future<Answer> inBackground() {
        CompletableFuture<Answer> result = new CompletableFuture<>();
        Thread.startVirtualThread(() -> result.complete(gate.send(call)));
        return result;
    }

    private Approvals.Question firstQuestion() {
        while (gate.approvals.open().isEmpty()) {
            Thread.onSpinWait();
        }
        return gate.approvals.open().iterator().next();
    }
}
