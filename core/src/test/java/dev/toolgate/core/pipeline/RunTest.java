package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Answers.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.ToolPermission;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.tool.ToolFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RunTest {
    private final Gate gate = new Gate();

    @Test
    void a_tool_that_throws_fails_without_a_crash() {
        gate.with(EchoTool.safe((_, _) -> {
                    throw new IllegalStateException("password=hunter22");
                }))
                .granting("echo");

        assertThat(failure(gate.send("echo", Map.of("text", "hi")))).satisfies(failure -> {
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(failure.message()).contains("IllegalStateException").doesNotContain("hunter22");
        });
    }

    @Test
    void an_unavailable_dependency_of_a_tool_is_retryable() {
        gate.with(EchoTool.safe((_, _) -> {
                    throw new Unavailable("The store cannot be reached now; try again shortly.", null);
                }))
                .granting("echo");

        Failure failure = failure(gate.send("echo", Map.of("text", "hi")));

        assertThat(failure.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
        assertThat(failure.message()).contains("cannot be reached now");
    }

    @Test
    void a_tool_that_recurses_for_ever_fails_without_a_crash() {
        gate.with(EchoTool.safe((_, _) -> Output.text("" + depth(0)))).granting("echo");

        assertThat(failure(gate.send("echo", Map.of("text", "hi"))).message()).contains("StackOverflowError");
    }

    @Test
    void an_expected_failure_keeps_its_code_and_partial_output() {
        gate.with(EchoTool.safe((_, _) -> {
                    throw new ToolFailure(ErrorCode.FILE_NOT_FOUND, "gone", Output.text("so far"));
                }))
                .granting("echo");

        Failure failure = failure(gate.send("echo", Map.of("text", "hi")));

        assertThat(failure.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
        assertThat(failure.partial()).isNotNull().satisfies(partial -> assertThat(partial.text())
                .isEqualTo("so far"));
    }

    @Test
    void the_intent_is_on_record_before_a_tool_with_side_effects_starts() {
        List<Integer> intentsSeenByTool = new ArrayList<>();
        gate.with(EchoTool.dangerous((_, _) -> {
                    intentsSeenByTool.add(gate.audit.intents().size());
                    return Output.text("");
                }))
                .granting("echo");

        gate.send("echo", Map.of("text", "hi"));

        assertThat(intentsSeenByTool).containsExactly(1);
    }

    @Test
    void a_tool_with_side_effects_does_not_start_without_a_recorded_intent() {
        AtomicBoolean ran = new AtomicBoolean();
        gate.with(EchoTool.dangerous((_, _) -> {
                    ran.set(true);
                    return Output.text("");
                }))
                .granting("echo");
        gate.auditLog = new BrokenAuditLog();

        Answer answer = gate.send("echo", Map.of("text", "hi"));

        assertThat(ran).isFalse();
        assertThat(failure(answer).code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        assertThat(answer.logged()).isFalse();
    }

    @Test
    void cancelling_stops_the_tool_and_leaves_no_interrupt_behind() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        gate.with(EchoTool.safe((_, _) -> {
                    started.countDown();
                    new CountDownLatch(1).await();
                    return Output.text("never");
                }))
                .granting("echo");
        Call call = Gate.call("echo", Map.of("text", "hi"));
        Thread.startVirtualThread(() -> {
            try {
                started.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            call.cancellation().cancel();
        });

        assertThat(failure(gate.send(call)).message()).contains("cancelled");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void a_call_that_was_cancelled_before_it_started_does_not_finish() {
        gate.with(EchoTool.safe((_, _) -> {
                    new CountDownLatch(1).await();
                    return Output.text("never");
                }))
                .granting("echo");
        Call call = Gate.call("echo", Map.of("text", "hi"));
        call.cancellation().cancel();

        assertThat(failure(gate.send(call)).message()).contains("cancelled");
    }

    @Test
    void a_tool_that_takes_too_long_times_out() {
        gate.with(EchoTool.safe((_, _) -> {
                    new CountDownLatch(1).await();
                    return Output.text("never");
                }))
                .granting("echo");
        ToolScope scope = new ToolScope(Map.of("echo", new ToolPermission(true, List.of(), Duration.ofMillis(20))));

        Failure failure =
                failure(gate.send(Gate.call("echo", Map.of("text", "hi")).scopedTo(scope)));

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
    }

    @Test
    void an_interrupt_by_the_host_stays_set() {
        gate.with(EchoTool.safe((_, _) -> {
                    new CountDownLatch(1).await();
                    return Output.text("never");
                }))
                .granting("echo");
        Thread.currentThread().interrupt();

        Answer answer = gate.send("echo", Map.of("text", "hi"));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure(answer).message()).contains("cancelled");
    }

    @SuppressWarnings("InfiniteRecursion") // that is the point
    private static int depth(int from) {
        return depth(from + 1) + 1;
    }

    @Test
    void a_tool_that_breaks_with_any_error_is_a_failure_on_record() {
        gate.with(EchoTool.safe((_, _) -> {
                    throw new AssertionError("should not happen");
                }))
                .granting("echo");

        Answer answer = gate.send("echo", Map.of("text", "hi"));

        assertThat(failure(answer).code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void a_timeout_below_a_second_is_given_in_milliseconds() {
        gate.with(EchoTool.safe((_, _) -> {
                    new CountDownLatch(1).await();
                    return Output.text("never");
                }))
                .granting("echo");
        Bounds brief = new Bounds(null, null, Duration.ofMillis(50), null, List.of(), null, null, List.of());

        assertThat(failure(gate.send(Gate.call("echo", Map.of("text", "hi")).within(brief)))
                        .message())
                .endsWith("timed out after 50 milliseconds");
    }
}
