package dev.toolgate.chat.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.policy.LlmPolicy;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reservation and settlement of tokens for an answer. */
@Timeout(60)
class ReservationTest {
    private static final LlmPolicy POLICY = new LlmPolicy(null, null, null, 100_000L);
    private static final ChatRequest ASK =
            ChatRequest.of("fake-1", List.of(new Message.User("x".repeat(400)))); // about 100 tokens

    private final TokenMeter meter = TokenMeter.inMemory();
    private final Cancellation cancellation = new Cancellation();

    private TurnResult run(ChatRequest request, FakeModel.Turn turn) {
        return run(request, new FakeModel(turn));
    }

    private TurnResult run(ChatRequest request, FakeModel model) {
        return new ToolLoop(model, LoopFixture.ECHO)
                .run(new ChatTurn("m", request, POLICY, meter), _ -> {}, cancellation);
    }

    @Test
    void tokens_are_reserved_during_the_answer_and_the_rest_is_released() {
        AtomicLong duringAnswer = new AtomicLong();

        TurnResult result = run(ASK.withMaxTokens(50), (out, cancel) -> {
            duringAnswer.set(meter.spent());
            FakeModel.says(new Usage(90, 5), "Noon.").answer(out, cancel);
        });

        assertThat(result.failure()).isNull();
        assertThat(duringAnswer).hasValue(150);
        assertThat(meter.spent()).isEqualTo(95);
    }

    @Test
    void an_answer_without_a_limit_gets_the_default() {
        FakeModel model = new FakeModel(FakeModel.says("Noon."));

        run(ASK, model);
        run(ASK.withThinkingTokens(2000), model);

        assertThat(model.requests()).extracting(ChatRequest::maxTokens).containsExactly(8192, 10_192);
    }

    @Test
    void the_policy_limit_replaces_a_missing_one() {
        FakeModel model = new FakeModel(FakeModel.says("Noon."));

        new ToolLoop(model, LoopFixture.ECHO)
                .run(
                        new ChatTurn("m", ASK, new LlmPolicy(null, null, 20_000L, 100_000L), meter),
                        _ -> {},
                        cancellation);

        assertThat(model.requests()).extracting(ChatRequest::maxTokens).containsExactly(20_000);
    }

    @ParameterizedTest
    @EnumSource(
            value = ProviderFailure.Kind.class,
            names = {"UNAUTHORISED", "RATE_LIMITED", "OVERLOADED", "UNAVAILABLE", "REJECTED"})
    void a_request_that_was_refused_costs_nothing(ProviderFailure.Kind kind) {
        TurnResult result = run(ASK, (out, cancel) -> out.accept(broken(kind)));

        assertThat(result.failure()).isNotNull();
        assertThat(meter.spent()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = ProviderFailure.Kind.class,
            names = {"TRUNCATED", "MALFORMED", "IDLE_TIMEOUT", "CANCELLED"})
    void a_silent_failed_answer_keeps_its_whole_reservation(ProviderFailure.Kind kind) {
        run(ASK.withMaxTokens(50), (out, cancel) -> out.accept(broken(kind)));

        assertThat(meter.spent()).isEqualTo(150);
    }

    @Test
    void a_failed_answer_keeps_its_whole_reservation() {
        run(ASK.withMaxTokens(50), FakeModel.breaks(ProviderFailure.of(ProviderFailure.Kind.OVERLOADED, "Too many.")));

        assertThat(meter.spent()).isEqualTo(150);
    }

    @Test
    void an_uncounted_answer_keeps_its_whole_reservation() {
        TurnResult result = run(ASK.withMaxTokens(50), FakeModel.says(Usage.NONE, "y".repeat(80)));

        assertThat(result.usage()).as("estimated from what arrived").isEqualTo(new Usage(100, 20));
        assertThat(meter.spent()).isEqualTo(150);
    }

    @Test
    void an_uncounted_answer_beyond_its_limit_is_estimated_by_length() {
        run(ASK.withMaxTokens(50), FakeModel.says(Usage.NONE, "y".repeat(800)));

        assertThat(meter.spent()).isEqualTo(300);
    }

    @Test
    void cancelling_before_the_request_releases_the_reservation() {
        FakeModel model = new FakeModel(FakeModel.says("Noon."));
        cancellation.cancel();

        TurnResult result = run(ASK, model);

        assertThat(result.extent()).isEqualTo(ChatEvent.Extent.PARTIAL);
        assertThat(result.failure()).isNull();
        assertThat(model.requests()).isEmpty();
        assertThat(meter.spent()).isZero();
    }

    @Test
    void cancelling_during_the_answer_keeps_the_reservation() throws InterruptedException {
        FakeModel model = new FakeModel(FakeModel.hangs("Half an"));
        Thread loop = Thread.ofVirtual().start(() -> run(ASK.withMaxTokens(50), model));
        await().until(() -> model.requests().size() == 1);

        cancellation.cancel();

        loop.join();
        assertThat(meter.spent()).isEqualTo(150);
    }

    private static StreamChunk broken(ProviderFailure.Kind kind) {
        return new StreamChunk.Broken("m", 0, ProviderFailure.of(kind, "It went wrong."));
    }
}
