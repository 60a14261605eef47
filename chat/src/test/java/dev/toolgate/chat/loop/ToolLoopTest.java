package dev.toolgate.chat.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ToolLoopTest extends LoopFixture {
    @Test
    void ac_29_an_answer_without_tool_calls_is_relayed() {
        TurnResult result = run(new FakeModel(FakeModel.says("Hel", "lo")), ECHO);

        assertThat(events)
                .containsExactly(
                        new ChatEvent.Start(ID, "fake-1"),
                        new ChatEvent.TextDelta(ID, "Hel"),
                        new ChatEvent.TextDelta(ID, "lo"),
                        new ChatEvent.End(ID, "fake-1", USAGE, StopReason.FINISHED, ChatEvent.Extent.WHOLE));
        assertThat(result)
                .isEqualTo(new TurnResult(
                        ChatEvent.Extent.WHOLE,
                        List.of(new Message.Assistant(List.of(new Block.Text("Hello")))),
                        USAGE,
                        1,
                        null));
    }

    @Test
    void ac_30_a_tool_call_runs_and_its_result_goes_to_the_model() {
        ToolCall call = call("a", "safe_read");
        FakeModel model = new FakeModel(FakeModel.calls(call), FakeModel.says("It is empty."));

        TurnResult result = run(model, ECHO);

        assertThat(events)
                .containsExactly(
                        new ChatEvent.Start(ID, "fake-1"),
                        new ChatEvent.ThinkingDelta(ID, "hm"),
                        new ChatEvent.ToolStart(ID, "a", "safe_read", input("a")),
                        new ChatEvent.ToolResult(ID, "a", Message.Status.SUCCESS, "did a", Map.of()),
                        new ChatEvent.TextDelta(ID, "It is empty."),
                        new ChatEvent.End(
                                ID, "fake-1", new Usage(20, 10), StopReason.FINISHED, ChatEvent.Extent.WHOLE));
        assertThat(model.requests().get(1).messages())
                .as("thinking is returned with its signature")
                .containsExactly(
                        ASK,
                        new Message.Assistant(List.of(new Block.Thinking("hm", "sig"), call)),
                        result("a", "safe_read", "did a"));
        assertThat(result.turns()).isEqualTo(2);
        assertThat(result.added()).hasSize(3);
    }

    @Test
    void a_reused_tool_call_id_is_replaced_by_a_unique_one() {
        FakeModel model = new FakeModel(
                FakeModel.calls(call("call_0", "safe_read"), call("call_1", "safe_read")),
                FakeModel.calls(call("call_0", "safe_read")),
                FakeModel.says("Done."));

        run(model, ECHO);

        List<String> started = events.stream()
                .filter(ChatEvent.ToolStart.class::isInstance)
                .map(event -> ((ChatEvent.ToolStart) event).toolId())
                .toList();
        assertThat(started).hasSize(3).doesNotHaveDuplicates().contains("call_0", "call_1");
        List<Message> last = model.requests().getLast().messages();
        String fresh = started.getLast();
        assertThat(last.get(last.size() - 2))
                .as("the model reads its call under the same id as the result")
                .isInstanceOfSatisfying(Message.Assistant.class, said -> assertThat(said.toolCalls())
                        .containsExactly(new ToolCall(fresh, "safe_read", "{\"path\":\"/call_0\"}")));
        assertThat(last.getLast()).isEqualTo(result(fresh, "safe_read", "did " + fresh));
    }

    @Test
    void ac_31_after_two_hundred_turns_the_model_must_answer_in_text() {
        FakeModel model = new FakeModel(FakeModel.calls(call("a", "safe_read")));

        TurnResult result = run(model, ECHO);

        assertThat(model.requests()).hasSize(201);
        assertThat(model.requests().subList(0, 200))
                .allMatch(request -> request.toolUse() == ChatRequest.ToolUse.ALLOWED);
        assertThat(model.requests().getLast().toolUse()).isEqualTo(ChatRequest.ToolUse.FORBIDDEN);
        assertThat(events.stream().filter(ChatEvent.ToolResult.class::isInstance))
                .hasSize(200);
        assertThat(events.getLast()).isInstanceOfSatisfying(ChatEvent.End.class, end -> assertThat(end.stopReason())
                .isEqualTo(StopReason.TURN_LIMIT));
        assertThat(result.extent()).isEqualTo(ChatEvent.Extent.WHOLE);
    }

    @Test
    void ac_32_cancelling_a_running_tool_ends_at_once_with_a_partial_answer() throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        ToolRunner uncancellable = tools((call, progress, cancel) -> {
            cancel.onCancel(stopped::countDown);
            progress.onStart();
            mayEnd.await();
            progress.onChunk(new OutputChunk(OutputChunk.Source.STDOUT, "too late"));
            return new Outcome.Completed(Output.text("too late"));
        });
        FakeModel model = new FakeModel(FakeModel.calls(call("a", "bash"), call("b", "bash")));
        Thread loop = Thread.ofVirtual().start(() -> run(model, uncancellable));
        await().until(() -> events.stream().anyMatch(ChatEvent.ToolStart.class::isInstance));

        cancellation.cancel();

        assertThat(stopped.await(10, TimeUnit.SECONDS)).isTrue();
        await().until(() -> events.getLast() instanceof ChatEvent.End);
        assertThat(loop.isAlive())
                .as("still waits for the tool after the answer has ended")
                .isTrue();
        mayEnd.countDown();
        loop.join();
        assertThat(events.getLast())
                .isEqualTo(new ChatEvent.End(ID, "fake-1", USAGE, StopReason.TOOL_CALLS, ChatEvent.Extent.PARTIAL));
        assertThat(events.stream().filter(ChatEvent.ToolStart.class::isInstance))
                .as("the second call never started")
                .hasSize(1);
        assertThat(events.get(events.size() - 2))
                .as("a started call has exactly one result")
                .isInstanceOfSatisfying(ChatEvent.ToolResult.class, result -> {
                    assertThat(result.toolId()).isEqualTo("a");
                    assertThat(result.status()).isEqualTo(Message.Status.ERROR);
                    assertThat(result.result()).contains("cancelled");
                });
        assertThat(model.requests()).hasSize(1);
    }

    @Test
    void cancelling_during_the_answer_keeps_its_text() throws InterruptedException {
        FakeModel model = new FakeModel(FakeModel.hangs("Half an"));
        Thread loop = Thread.ofVirtual().start(() -> run(model, ECHO));
        await().until(() -> events.size() == 2);

        cancellation.cancel();

        loop.join();
        assertThat(events.getLast()).isInstanceOfSatisfying(ChatEvent.End.class, end -> {
            assertThat(end.extent()).isEqualTo(ChatEvent.Extent.PARTIAL);
            assertThat(end.usage().outputTokens())
                    .as("a cancelled answer is not free")
                    .isPositive();
        });
    }

    @Test
    void interrupting_the_loop_cancels_the_tools_too() throws InterruptedException {
        ToolRunner waiting = tools((call, progress, cancel) -> {
            CountDownLatch stopped = new CountDownLatch(1);
            cancel.onCancel(stopped::countDown);
            progress.onStart();
            stopped.await();
            return new Outcome.Failed(Failure.of(ErrorCode.TOOL_EXECUTION_FAILED, "Cancelled."));
        });
        Thread loop = Thread.ofVirtual().start(() -> run(new FakeModel(FakeModel.calls(call("a", "safe_a"))), waiting));
        await().until(() -> events.getLast() instanceof ChatEvent.ToolStart);

        loop.interrupt();

        loop.join();
        assertThat(events.getLast()).isInstanceOf(ChatEvent.End.class);
    }

    @Test
    void a_failed_answer_is_reported_and_its_text_kept() {
        ProviderFailure failure = ProviderFailure.of(ProviderFailure.Kind.TRUNCATED, "The connection was lost.");

        TurnResult result = run(new FakeModel(FakeModel.breaks(failure)), ECHO);

        assertThat(events.getLast()).isEqualTo(new ChatEvent.Failed(ID, new ChatFailure.OfModel(failure)));
        assertThat(result.failure()).isEqualTo(new ChatFailure.OfModel(failure));
    }

    @Test
    void an_answer_without_an_end_has_failed() {
        TurnResult result = run(
                new FakeModel((out, cancel) -> {
                    out.accept(new StreamChunk.ToolCallStart("m", 0, "a", "safe_read"));
                    out.accept(new StreamChunk.ToolCallEnd("m", 1, "a"));
                }),
                ECHO);

        assertThat(result.failure()).isNotNull().extracting(ChatFailure::code).isEqualTo("truncated");
        assertThat(events).hasSize(2).last().isInstanceOf(ChatEvent.Failed.class);
    }

    @Test
    void a_history_with_gaps_is_repaired_before_sending() {
        FakeModel model = new FakeModel(FakeModel.says("Hello."));
        List<Message> holes = List.of(
                result("z", "x", "of no call"),
                ASK,
                new Message.Assistant(List.of(call("a", "x"), call("b", "x"))),
                result("b", "x", "of b"),
                result("z", "x", "of no call"),
                ASK);

        new ToolLoop(model, ECHO).run(ChatTurn.of(ChatRequest.of("fake-1", holes)), events::add, cancellation);

        assertThat(model.requests().getFirst().messages())
                .containsExactly(
                        ASK,
                        holes.get(2),
                        new Message.Tool(
                                "a", "x", "There is no result: the call was interrupted.", Message.Status.ERROR),
                        result("b", "x", "of b"),
                        ASK);
    }
}
