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

/** What is set aside for an answer, and what becomes of it. */
@Timeout(60)
class ReservationTest {
    private static final LlmPolicy POLICY = new LlmPolicy(null, null, null, 100_000L);
    private static final ChatRequest ASK =
            ChatRequest.of("fake-1", List.of(new Message.User("x".repeat(400)))); // about 100 tokens

    private final TokenMeter meter = TokenMeter.inMemory();
    private final Cancellation cancellation = new Cancellation();

    private Ending run(ChatRequest request, FakeModel.Turn turn) {
        return run(request, new FakeModel(turn));
    }

    private Ending run(ChatRequest request, FakeModel model) {
        return new ToolLoop(model, LoopFixture.ECHO)
                .run(new ChatTurn("m", request, POLICY, meter), _ -> {}, cancellation);
    }

    @Test
    void the_whole_answer_is_set_aside_while_it_comes_and_the_rest_of_it_given_back() {
        AtomicLong meanwhile = new AtomicLong();

        Ending ending = run(ASK.upTo(50), (out, cancel) -> {
            meanwhile.set(meter.spent());
            FakeModel.says(new Usage(90, 5), "Noon.").answer(out, cancel);
        });

        assertThat(ending.failure()).isNull();
        assertThat(meanwhile).hasValue(150);
        assertThat(meter.spent()).isEqualTo(95);
    }

    @Test
    void an_answer_without_a_limit_is_given_a_usual_one_and_not_all_there_is() {
        FakeModel model = new FakeModel(FakeModel.says("Noon."));

        run(ASK, model);
        run(ASK.thinking(2000), model);

        assertThat(model.requests()).extracting(ChatRequest::maxTokens).containsExactly(8192, 10_192);
    }

    @Test
    void the_limit_of_the_policy_stands_in_for_one_that_is_not_asked_for() {
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
    void a_provider_that_does_not_begin_costs_nothing(ProviderFailure.Kind kind) {
        Ending ending = run(ASK, (out, cancel) -> out.accept(broken(kind)));

        assertThat(ending.failure()).isNotNull();
        assertThat(meter.spent()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = ProviderFailure.Kind.class,
            names = {"TRUNCATED", "MALFORMED", "IDLE_TIMEOUT", "CANCELLED"})
    void a_model_that_was_cut_off_in_silence_may_have_thought_all_the_time(ProviderFailure.Kind kind) {
        run(ASK.upTo(50), (out, cancel) -> out.accept(broken(kind)));

        assertThat(meter.spent()).isEqualTo(150);
    }

    @Test
    void an_answer_that_breaks_in_the_middle_keeps_what_was_set_aside_whatever_broke_it() {
        run(ASK.upTo(50), FakeModel.breaks(ProviderFailure.of(ProviderFailure.Kind.OVERLOADED, "Too many.")));

        assertThat(meter.spent()).isEqualTo(150);
    }

    @Test
    void a_whole_answer_that_nobody_counted_keeps_what_was_set_aside() {
        Ending ending = run(ASK.upTo(50), FakeModel.says(Usage.NONE, "y".repeat(80)));

        assertThat(ending.usage()).as("as far as it was seen").isEqualTo(new Usage(100, 20));
        assertThat(meter.spent()).isEqualTo(150);
    }

    @Test
    void an_answer_that_ignores_its_limit_and_is_not_counted_is_estimated_by_its_length() {
        run(ASK.upTo(50), FakeModel.says(Usage.NONE, "y".repeat(800)));

        assertThat(meter.spent()).isEqualTo(300);
    }

    @Test
    void cancelling_before_the_model_is_asked_gives_everything_back() {
        FakeModel model = new FakeModel(FakeModel.says("Noon."));
        cancellation.cancel();

        Ending ending = run(ASK, model);

        assertThat(ending.extent()).isEqualTo(ChatEvent.Extent.PARTIAL);
        assertThat(ending.failure()).isNull();
        assertThat(model.requests()).isEmpty();
        assertThat(meter.spent()).isZero();
    }

    @Test
    void cancelling_while_the_model_speaks_keeps_what_was_set_aside() throws InterruptedException {
        FakeModel model = new FakeModel(FakeModel.hangs("Half an"));
        Thread loop = Thread.ofVirtual().start(() -> run(ASK.upTo(50), model));
        await().until(() -> model.requests().size() == 1);

        cancellation.cancel();

        loop.join();
        assertThat(meter.spent()).isEqualTo(150);
    }

    private static StreamChunk broken(ProviderFailure.Kind kind) {
        return new StreamChunk.Broken("m", 0, ProviderFailure.of(kind, "It went wrong."));
    }
}
