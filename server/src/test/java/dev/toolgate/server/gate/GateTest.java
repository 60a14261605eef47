package dev.toolgate.server.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.server.gate.CallRequest.Acting;
import dev.toolgate.server.operate.TestGate;
import dev.toolgate.server.operate.log.LogFields;
import dev.toolgate.server.operate.trace.CallEvents;
import dev.toolgate.server.operate.trace.CallTracing;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class GateTest {
    private static final Executor THREADS = work -> Thread.ofVirtual().start(work);

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final TestGate parts = new TestGate(text -> {
        entered.countDown();
        if (text.equals("wait")) {
            release.await();
        }
        return Output.text(text + MDC.get(LogFields.AGENT));
    });
    private final Gate gate = parts.gate(CallTracing.NONE);

    private CompletableFuture<Answer> inBackground(String text) throws InterruptedException {
        CompletableFuture<Answer> answer =
                CompletableFuture.supplyAsync(() -> TestGate.send(gate, TestGate.say(text)), THREADS);
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        return answer;
    }

    @Test
    void a_running_call_is_counted_and_its_ids_are_logged() throws Exception {
        CompletableFuture<Answer> answer = inBackground("wait");
        assertThat(gate.running()).isOne();
        assertThat(parts.metrics.scrape()).contains("toolgate_running_calls 1.0");
        release.countDown();
        assertThat(answer.get(10, TimeUnit.SECONDS).asOutcome())
                .isInstanceOfSatisfying(
                        Outcome.Completed.class,
                        done -> assertThat(done.output().text()).isEqualTo("waitlocal"));
        assertThat(gate.running()).isZero();
        assertThat(MDC.get(LogFields.AGENT)).isNull();
    }

    @Test
    void every_outcome_is_counted_by_canonical_tool_name() {
        TestGate.send(gate, TestGate.say("a"));
        TestGate.send(gate, TestGate.call("saySomething", "a"));
        TestGate.send(gate, TestGate.call("made-up-1", "a"));
        TestGate.send(gate, TestGate.call("made-up-2", "a"));
        assertThat(parts.metrics.scrape())
                .contains("toolgate_calls_total{error_code=\"\",status=\"completed\",tool=\"say\"} 2.0")
                .contains("tool=\"unknown\"} 2.0")
                .contains("toolgate_call_seconds_count{tool=\"say\"} 2")
                .contains("toolgate_call_seconds_bucket{tool=\"say\",le=\"0.001\"}")
                .contains("jvm_memory_used_bytes")
                .doesNotContain("made-up");
    }

    @Test
    void repeating_a_running_call_does_not_end_it() throws Exception {
        Completions completions = new Completions();
        Gate heard = parts.gate(CallTracing.NONE, completions);
        CallRequest slow = TestGate.say("wait").named(new RequestId("r1"));
        CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> TestGate.send(heard, slow), THREADS);
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();

        Answer again = TestGate.send(heard, TestGate.say("wait").named(new RequestId("r1")));

        assertThat(again).isInstanceOfSatisfying(Answer.Undecided.class, running -> assertThat(running.state())
                .isEqualTo(Answer.Undecided.State.RUNNING));
        assertThat(completions.outcomes).isEmpty();
        release.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS)).isInstanceOf(Answer.Ended.class);
        assertThat(completions.outcomes).hasSize(1);
        assertThat(parts.metrics.scrape())
                .contains("toolgate_calls_total{error_code=\"REQUEST_RUNNING\",status=\"refused\",tool=\"say\"} 1.0");
    }

    /** Records ended calls. */
    private static final class Completions implements CallEvents {
        private final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

        @Override
        public void requested(Call call) {}

        @Override
        public void completed(Call call, Outcome outcome, Duration took) {
            outcomes.add(outcome);
        }
    }

    @Test
    void a_user_chats_as_the_agents_of_its_key_and_calls_no_tools() {
        AgentId agent = new AgentId("local");
        Principal user = new Principal(new TenantId("local"), Role.USER, "key:ada", null, Set.of(agent));
        Principal other = new Principal(new TenantId("local"), Role.USER, "key:eve", null, Set.of());
        CallRequest call = TestGate.say("a");

        assertThat(gate.submit(user, call.as(agent, Acting.CALLING))).isInstanceOf(Impersonation.class);
        assertThat(gate.submit(other, call.as(agent, Acting.CHATTING)))
                .isInstanceOfSatisfying(
                        Impersonation.class,
                        attempt -> assertThat(attempt.answer().logged()).isTrue());
        assertThat(gate.dryRun(other, call.as(agent, Acting.CHATTING)).decision())
                .isInstanceOf(Decision.Deny.class);
        assertThat(entered.getCount()).isOne();
        assertThat(gate.submit(user, call.as(agent, Acting.CHATTING)))
                .isInstanceOfSatisfying(
                        Submitted.Taken.class,
                        taken -> assertThat(taken.call().caller().principal()).isEqualTo("key:ada"));
        assertThat(entered.getCount()).isZero();
    }

    @Test
    void validating_runs_nothing() {
        assertThat(gate.dryRun(TestGate.ALICE, TestGate.say("a")).decision()).isInstanceOf(Decision.Allow.class);
        assertThat(entered.getCount()).isOne();
    }

    @Test
    void stopping_waits_for_a_call_that_ends_in_time() throws Exception {
        CompletableFuture<Answer> answer = inBackground("wait");
        CompletableFuture<Integer> left =
                CompletableFuture.supplyAsync(() -> gate.stop(Duration.ofMinutes(1)), THREADS);
        await().until(() -> TestGate.send(gate, TestGate.say("late")).asOutcome() instanceof Outcome.Failed);
        assertThat(left).isNotDone();
        release.countDown();
        assertThat(left.get(10, TimeUnit.SECONDS)).isZero();
        assertThat(answer.get(10, TimeUnit.SECONDS).asOutcome()).isInstanceOf(Outcome.Completed.class);
    }

    @Test
    void stopping_cancels_a_call_that_does_not_end_in_time() throws Exception {
        CompletableFuture<Answer> answer = inBackground("wait");
        assertThat(gate.stop(Duration.ofMillis(50))).isZero();
        assertThat(answer.get(10, TimeUnit.SECONDS).asOutcome())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        end -> assertThat(end.failure().message()).contains("cancelled"));
    }

    @Test
    void no_call_starts_after_stopping() {
        assertThat(gate.stop(Duration.ZERO)).isZero();
        Answer answer = TestGate.send(gate, TestGate.say("late"));
        assertThat(answer.logged()).isFalse();
        assertThat(answer.asOutcome()).isInstanceOfSatisfying(Outcome.Failed.class, end -> assertThat(
                        end.failure().code())
                .isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
        assertThat(entered.getCount()).isOne();
    }
}
