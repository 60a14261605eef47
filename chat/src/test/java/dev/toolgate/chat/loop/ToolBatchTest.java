package dev.toolgate.chat.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ToolBatchTest extends LoopFixture {
    private static final CallListener.Question QUESTION = new CallListener.Question(
            UUID.randomUUID(), Instant.parse("2026-01-01T00:00:30Z"), "It is dangerous.", "a preview");

    @Test
    void safe_calls_run_concurrently_and_results_keep_the_order() {
        CyclicBarrier all = new CyclicBarrier(3);
        CountDownLatch lastIsDone = new CountDownLatch(1);
        ToolRunner together = tools((call, progress, cancel) -> {
            all.await(10, TimeUnit.SECONDS); // passes only if all three run concurrently
            if (call.id().equals("c")) {
                lastIsDone.countDown();
            } else {
                lastIsDone.await();
            }
            return new Outcome.Completed(Output.text("did " + call.id()));
        });
        FakeModel model = new FakeModel(
                FakeModel.calls(call("a", "safe_a"), call("b", "safe_b"), call("c", "safe_c")),
                FakeModel.says("Done."));

        run(model, together);

        assertThat(model.requests().get(1).messages().subList(2, 5))
                .containsExactly(
                        result("a", "safe_a", "did a"), result("b", "safe_b", "did b"), result("c", "safe_c", "did c"));
    }

    @Test
    void a_dangerous_call_runs_alone_and_in_order() {
        List<String> log = new CopyOnWriteArrayList<>();
        AtomicInteger inside = new AtomicInteger();
        CountDownLatch company = new CountDownLatch(1);
        ToolRunner logging = tools((call, progress, cancel) -> {
            if (inside.incrementAndGet() > 1) {
                company.countDown();
            }
            log.add("begin " + call.id());
            assertThat(company.await(20, TimeUnit.MILLISECONDS))
                    .as("another call runs")
                    .isFalse();
            log.add("end " + call.id());
            inside.decrementAndGet();
            return new Outcome.Completed(Output.text(""));
        });

        run(
                new FakeModel(
                        FakeModel.calls(
                                call("a", "write"), call("b", "safe_read"), call("c", "write"), call("d", "write")),
                        FakeModel.says("Done.")),
                logging);

        assertThat(log).containsExactly("begin a", "end a", "begin b", "end b", "begin c", "end c", "begin d", "end d");
    }

    @Test
    void arguments_that_are_not_json_become_an_error_result() {
        FakeModel model = new FakeModel(
                FakeModel.calls(
                        new ToolCall("a", "safe_a", "{\"path\":"),
                        new ToolCall("b", "safe_b", "[1]"),
                        new ToolCall("c", "safe_c", "null")),
                FakeModel.says("Sorry."));

        TurnResult ending = run(model, ECHO);

        assertThat(ending.failure()).isNull();
        assertThat(model.requests().get(1).messages().subList(2, 5))
                .extracting(message -> ((Message.Tool) message).status())
                .containsExactly(Message.Status.ERROR, Message.Status.ERROR, Message.Status.SUCCESS);
        assertThat(((Message.Tool) model.requests().get(1).messages().get(2)).content())
                .startsWith("INVALID_REQUEST: ");
    }

    @Test
    void refusals_errors_and_runner_failures_become_results_for_the_model() {
        ToolRunner refusing = tools((call, progress, cancel) -> switch (call.id()) {
            case "a" -> new Outcome.Refused(Failure.of(ErrorCode.PERMISSION_DENIED, "Not for you."));
            case "b" -> new Outcome.Completed(Output.text("exit 1").withVerdict(Output.Verdict.ERROR));
            case "c" ->
                new Outcome.Failed(Failure.of(ErrorCode.TOOL_EXECUTION_TIMEOUT, "Too slow.")
                        .withPartial(Output.text("so far")));
            default -> throw new IllegalStateException("a bug");
        });
        FakeModel model = new FakeModel(
                FakeModel.calls(call("a", "x"), call("b", "x"), call("c", "x"), call("d", "x")),
                FakeModel.says("I see."));

        assertThat(run(model, refusing).failure()).isNull();

        assertThat(model.requests().get(1).messages().subList(2, 6))
                .extracting(message -> ((Message.Tool) message).content())
                .containsExactly(
                        "PERMISSION_DENIED: Not for you.",
                        "exit 1",
                        "TOOL_EXECUTION_TIMEOUT: Too slow.\nso far",
                        "INTERNAL_ERROR: The call could not be run.");
        assertThat(events.stream()
                        .filter(ChatEvent.ToolResult.class::isInstance)
                        .map(event -> ((ChatEvent.ToolResult) event).status()))
                .containsExactly(
                        Message.Status.DENIED, Message.Status.ERROR, Message.Status.ERROR, Message.Status.ERROR);
    }

    @Test
    void a_refused_call_has_a_denied_result_and_no_start() {
        ToolRunner refusing = tools((call, progress, cancel) ->
                new Outcome.Refused(Failure.of(ErrorCode.PERMISSION_DENIED, "Not for you.")));

        run(new FakeModel(FakeModel.calls(call("a", "bash")), FakeModel.says("I see.")), refusing);

        assertThat(events).noneMatch(ChatEvent.ToolStart.class::isInstance);
        assertThat(events)
                .contains(new ChatEvent.ToolResult(
                        ID,
                        "a",
                        Message.Status.DENIED,
                        "PERMISSION_DENIED: Not for you.",
                        Map.of("code", "PERMISSION_DENIED", "retryable", false, "toolName", "bash")));
    }

    @Test
    void approval_precedes_the_start_and_a_denial_never_starts() {
        ToolRunner asking = tools((call, progress, cancel) -> {
            progress.onHeld(QUESTION);
            if (call.id().equals("no")) {
                return new Outcome.Refused(Failure.of(ErrorCode.APPROVAL_DENIED, "A person said no."));
            }
            progress.onStart();
            progress.onChunk(new OutputChunk(OutputChunk.Source.STDOUT, "working"));
            return new Outcome.Completed(Output.text("done"));
        });

        run(new FakeModel(FakeModel.calls(call("yes", "bash"), call("no", "bash")), FakeModel.says("Fine.")), asking);

        assertThat(events.subList(2, 8))
                .containsExactly(
                        new ChatEvent.ToolConfirm(ID, "yes", "bash", input("yes"), QUESTION),
                        new ChatEvent.ToolStart(ID, "yes", "bash", input("yes")),
                        new ChatEvent.ToolDelta(ID, "yes", "working"),
                        new ChatEvent.ToolResult(ID, "yes", Message.Status.SUCCESS, "done", Map.of()),
                        new ChatEvent.ToolConfirm(ID, "no", "bash", input("no"), QUESTION),
                        new ChatEvent.ToolResult(
                                ID,
                                "no",
                                Message.Status.DENIED,
                                "APPROVAL_DENIED: A person said no.",
                                Map.of("code", "APPROVAL_DENIED", "retryable", false)));
    }
}
