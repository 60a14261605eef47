package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Answers.failure;
import static dev.toolgate.core.pipeline.Answers.output;
import static dev.toolgate.core.pipeline.Answers.refusal;
import static dev.toolgate.core.pipeline.Answers.undecided;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.limit.Limits;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RepeatedCallsTest {
    private final AtomicInteger runs = new AtomicInteger();
    private final Gate gate = new Gate().granting("echo");

    @Test
    void a_repeated_call_gets_the_first_outcome_and_runs_once() {
        gate.with(EchoTool.dangerous((arguments, _) -> Output.text("run " + runs.incrementAndGet())));

        Answer first = gate.send(named("r1", "hello"));
        Answer again = gate.send(named("r1", "hello"));

        assertThat(again).isEqualTo(first);
        assertThat(again.logged()).isTrue();
        assertThat(runs).hasValue(1);
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void the_same_id_for_another_call_is_refused() {
        gate.with(EchoTool.safe());
        gate.send(named("r1", "hello"));

        Answer other = gate.send(named("r1", "goodbye"));

        assertThat(undecided(other).failure().code()).isEqualTo(ErrorCode.REQUEST_ID_TAKEN);
        assertThat(other.logged()).isFalse();
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void a_rate_limited_call_is_recorded_and_can_be_sent_again_under_its_id() {
        gate.with(EchoTool.safe());
        gate.limits = (_, _) -> Optional.of(Duration.ofSeconds(30));
        Answer limited = gate.send(named("r1", "hello"));
        assertThat(undecided(limited).state()).isEqualTo(Answer.Undecided.State.RECORDED);
        assertThat(undecided(limited).failure().retryAfter()).isEqualTo(Duration.ofSeconds(30));
        assertThat(gate.audit.entries()).hasSize(1);

        gate.limits = Limits.NONE;
        Answer again = gate.send(named("r1", "hello"));

        assertThat(output(again).text()).isEqualTo("hello");
        assertThat(gate.send(named("r1", "hello"))).isEqualTo(again);
        assertThat(gate.audit.entries()).hasSize(2);
    }

    @Test
    void a_refusal_is_an_outcome_too() {
        gate.with(EchoTool.safe());
        gate.grants.revoke(Gate.ALICE.tenant(), Gate.ALICE.agent(), "echo");
        Answer refused = gate.send(named("r1", "hello"));
        gate.granting("echo");

        assertThat(gate.send(named("r1", "hello"))).isEqualTo(refused);
        assertThat(output(gate.send(named("r2", "hello"))).text()).isEqualTo("hello");
    }

    @Test
    void calls_whose_id_the_gate_chose_always_run() {
        gate.with(EchoTool.safe((arguments, _) -> Output.text("run " + runs.incrementAndGet())));
        Call call = Gate.call("echo", Map.of("text", "hello"));
        gate.send(call);
        gate.send(call);

        assertThat(runs).hasValue(2);
    }

    @Test
    void a_call_repeated_while_the_first_one_runs_waits_for_it_and_does_not_run() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<String> text = new CompletableFuture<>();
        gate.with(EchoTool.dangerous((arguments, _) -> {
            runs.incrementAndGet();
            started.countDown();
            return Output.text(text.join());
        }));
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> first = callers.submit(() -> gate.send(named("r1", "hello")));
            started.await();
            Future<Answer> again = callers.submit(() -> gate.send(named("r1", "hello")));
            text.complete("done");

            assertThat(output(first.get()).text()).isEqualTo("done");
            assertThat(again.get()).isEqualTo(first.get());
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void the_wait_for_the_first_call_times_out() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<String> text = new CompletableFuture<>();
        gate.timeout = Duration.ofMillis(50);
        gate.with(EchoTool.dangerous((arguments, _) -> {
            started.countDown();
            return Output.text(text.join());
        }));
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> first = callers.submit(() -> gate.send(named("r1", "hello")));
            started.await();

            Answer again = gate.send(named("r1", "hello"));
            assertThat(undecided(again).failure().code()).isEqualTo(ErrorCode.REQUEST_RUNNING);
            assertThat(undecided(again).state()).isEqualTo(Answer.Undecided.State.RUNNING);
            assertThat(undecided(again).failure().code().retryable()).isTrue();
            text.complete("done");
            assertThat(output(first.get()).text()).isEqualTo("done");
        }
    }

    @Test
    void of_a_hundred_concurrent_equal_calls_one_runs() throws Exception {
        gate.with(EchoTool.dangerous((arguments, _) -> Output.text("run " + runs.incrementAndGet())));
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = java.util.stream.IntStream.range(0, 100)
                    .mapToObj(_ -> callers.submit(() -> gate.send(named("r1", "hello"))))
                    .toList();
            for (Future<Answer> answer : answers) {
                assertThat(output(answer.get()).text()).isEqualTo("run 1");
            }
        }
        assertThat(runs).hasValue(1);
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void of_two_concurrent_reading_calls_under_one_id_one_starts() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<String> text = new CompletableFuture<>();
        gate.with(EchoTool.safe((arguments, _) -> {
            runs.incrementAndGet();
            started.countDown();
            return Output.text(text.join());
        }));
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> first = callers.submit(() -> gate.send(named("r1", "hello")));
            started.await();
            Answer other = gate.send(named("r1", "goodbye"));
            Future<Answer> same = callers.submit(() -> gate.send(named("r1", "hello")));
            text.complete("done");

            assertThat(undecided(other).failure().code()).isEqualTo(ErrorCode.REQUEST_ID_TAKEN);
            assertThat(same.get()).isEqualTo(first.get());
        }
        assertThat(runs).hasValue(1);
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void two_agents_may_use_the_same_id() {
        gate.with(EchoTool.safe());
        AgentId bob = new AgentId("bob");
        gate.grants.grant(Gate.ALICE.tenant(), bob, "echo");
        Caller other = Caller.ofAgent(Gate.ALICE.tenant(), bob, null, Gate.ALICE.workspace());

        assertThat(output(gate.send(named("r1", "hello"))).text()).isEqualTo("hello");
        assertThat(output(gate.send(named("r1", "goodbye").by(other))).text()).isEqualTo("goodbye");
        assertThat(output(gate.send(named("r1", "hello"))).text()).isEqualTo("hello");
        assertThat(gate.audit.entries()).hasSize(2);
    }

    @Test
    void an_outcome_is_not_returned_after_the_grant_is_revoked() {
        gate.with(EchoTool.safe());
        gate.send(named("r1", "hello"));
        gate.grants.revoke(Gate.ALICE.tenant(), Gate.ALICE.agent(), "echo");

        Answer again = gate.send(named("r1", "hello"));

        assertThat(refusal(again).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refusal(again).message()).contains("may no longer be read");
        assertThat(again.logged()).isTrue();
        assertThat(gate.audit.entries())
                .extracting(AuditLog.Entry::status)
                .containsExactly(AuditLog.Status.COMPLETED, AuditLog.Status.REFUSED);
        gate.granting("echo");
        assertThat(output(gate.send(named("r1", "hello"))).text()).isEqualTo("hello");
    }

    @Test
    void a_call_that_could_not_be_checked_may_be_sent_again() {
        gate.with(EchoTool.safe());
        gate.rules.add((call, tool, session) -> {
            throw new dev.toolgate.core.call.Unavailable("away", null);
        });
        Answer unserved = gate.send(named("r1", "hello"));
        assertThat(undecided(unserved).failure().code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
        assertThat(unserved.logged()).isFalse();

        gate.rules.clear();
        assertThat(output(gate.send(named("r1", "hello"))).text()).isEqualTo("hello");
    }

    @Test
    void argument_errors_are_reported_only_to_callers_with_a_grant() {
        gate.with(EchoTool.safe());
        Map<String, ?> wrong = Map.of("text", 5);
        assertThat(failure(gate.send("echo", wrong)).code()).isEqualTo(ErrorCode.INVALID_REQUEST);

        gate.grants.revoke(Gate.ALICE.tenant(), Gate.ALICE.agent(), "echo");
        assertThat(refusal(gate.send("echo", wrong)).code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refusal(gate.send("no_such_tool", wrong)).message())
                .isEqualTo("Agent 'local' not permitted to use tool 'no_such_tool'");
    }

    private static Call named(String request, String text) {
        return Gate.call("echo", Map.of("text", text)).as(new RequestId(request));
    }
}
