package dev.toolgate.chat.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.policy.LlmPolicy;
import dev.toolgate.core.tool.Danger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class BudgetTest {
    private static final ToolCall CALL = new ToolCall("a", "now", "{}");
    private static final ChatRequest ASK =
            ChatRequest.of("fake-1", List.of(new Message.User("x".repeat(400)))); // about 100 tokens

    private final List<ChatEvent> events = new ArrayList<>();
    private final TokenMeter meter = TokenMeter.inMemory();
    private int toolsRun;

    private TurnResult run(FakeModel model, LlmPolicy policy) {
        ToolRunner tools = new ToolRunner() {
            @Override
            public Danger danger(String toolName) {
                return Danger.DANGEROUS;
            }

            @Override
            public Outcome run(ToolCall call, ObjectNode arguments, CallListener progress, Cancellation cancellation) {
                toolsRun++;
                return new Outcome.Completed(Output.text("noon"));
            }
        };
        return new ToolLoop(model, tools).run(new ChatTurn("m", ASK, policy, meter), events::add, new Cancellation());
    }

    private String refusal(FakeModel model, LlmPolicy policy) {
        ChatFailure failure = Objects.requireNonNull(run(model, policy).failure());
        assertThat(events.getLast()).isEqualTo(new ChatEvent.Failed("m", failure));
        return failure.code();
    }

    @Test
    void a_model_that_is_not_allowed_is_not_asked() {
        FakeModel model = new FakeModel(FakeModel.says("Hello."));

        assertThat(refusal(model, new LlmPolicy(List.of("other"), null, null, null)))
                .isEqualTo("CAPABILITY_DENIED");
        assertThat(refusal(model, new LlmPolicy(List.of(), null, null, null))).isEqualTo("CAPABILITY_DENIED");
        assertThat(model.requests()).isEmpty();
        assertThat(run(model, new LlmPolicy(List.of("fake-1"), null, null, null))
                        .failure())
                .isNull();
    }

    @Test
    void a_conversation_that_is_too_long_is_not_sent() {
        FakeModel model = new FakeModel(FakeModel.says("Hello."));

        assertThat(refusal(model, new LlmPolicy(null, 99L, null, null))).isEqualTo("LLM_BUDGET_EXCEEDED");
        assertThat(model.requests()).isEmpty();
        assertThat(run(model, new LlmPolicy(null, 100L, null, null)).failure()).isNull();
    }

    @Test
    void an_input_over_the_limit_ends_the_turn() {
        FakeModel model = new FakeModel(FakeModel.calls(new Usage(201, 1), CALL), FakeModel.says("Noon."));

        assertThat(refusal(model, new LlmPolicy(null, 200L, null, null))).isEqualTo("LLM_BUDGET_EXCEEDED");
        assertThat(toolsRun).isZero();
    }

    @Test
    void max_tokens_is_limited_by_policy_and_session() {
        FakeModel model = new FakeModel(FakeModel.says("Hello."));

        run(model, new LlmPolicy(null, null, 50L, null));
        assertThat(model.requests().getLast().maxTokens()).isEqualTo(50);
        meter.settle(0, 1000 - meter.spent());
        run(model, new LlmPolicy(null, null, 50L, 1120L));
        assertThat(model.requests().getLast().maxTokens()).isEqualTo(20);
        assertThat(refusal(model, new LlmPolicy(null, null, 0L, null))).isEqualTo("LLM_BUDGET_EXCEEDED");
    }

    @Test
    void an_exhausted_session_runs_no_tools() {
        FakeModel model = new FakeModel(FakeModel.calls(new Usage(150, 60), CALL), FakeModel.says("Noon."));
        LlmPolicy policy = new LlmPolicy(null, null, null, 200L);

        assertThat(refusal(model, policy)).isEqualTo("LLM_BUDGET_EXCEEDED");
        assertThat(toolsRun).isZero();
        assertThat(meter.spent()).isEqualTo(210);
        assertThat(refusal(model, policy)).isEqualTo("LLM_BUDGET_EXCEEDED");
        assertThat(model.requests()).as("no further request was sent").hasSize(1);
    }

    @Test
    void uncounted_usage_is_estimated() {
        TurnResult result = run(new FakeModel(FakeModel.says(Usage.NONE, "y".repeat(80))), LlmPolicy.NONE);

        assertThat(result.usage()).isEqualTo(new Usage(100, 20));
        assertThat(meter.spent()).isEqualTo(120);
    }

    @Test
    void an_answer_that_used_up_the_session_is_still_returned() {
        LlmPolicy policy = new LlmPolicy(null, null, null, 200L);

        assertThat(run(new FakeModel(FakeModel.says(new Usage(150, 60), "Noon.")), policy)
                        .failure())
                .isNull();
    }
}
