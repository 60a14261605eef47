package dev.toolgate.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.decision.TrustRule;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Trust levels through the whole pipeline. */
class TrustLevelTest {
    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void ac21_a_safe_tool_of_a_guided_agent_runs_without_asking() {
        Gate gate = gate(EchoTool.safe((_, _) -> ran()));

        assertThat(gate.send(call(TrustLevel.GUIDED)).asOutcome()).isInstanceOf(Outcome.Completed.class);
        assertThat(gate.approvals.open()).isEmpty();
    }

    @Test
    void ac22_a_dangerous_tool_of_a_guided_agent_waits_for_a_person() {
        Gate gate = gate(EchoTool.dangerous((_, _) -> ran()));

        assertThat(gate.send(call(TrustLevel.GUIDED))).isInstanceOf(Answer.Held.class);
        assertThat(gate.approvals.open()).hasSize(1);
        assertThat(runs).hasValue(0);
    }

    @Test
    void ac23_no_tool_of_an_autonomous_agent_asks() {
        Gate gate = gate(EchoTool.dangerous((_, _) -> ran()));

        assertThat(gate.send(call(TrustLevel.AUTONOMOUS)).asOutcome()).isInstanceOf(Outcome.Completed.class);
        assertThat(gate.approvals.open()).isEmpty();
    }

    @Test
    void ac24_a_tool_that_reports_an_error_has_a_result_and_not_a_failure() {
        Gate gate = gate(EchoTool.safe((_, _) -> ran().withVerdict(Output.Verdict.ERROR)));

        assertThat(gate.send(call(TrustLevel.GUIDED)).asOutcome())
                .isInstanceOfSatisfying(
                        Outcome.Completed.class,
                        completed -> assertThat(completed.output().verdict()).isEqualTo(Output.Verdict.ERROR));
    }

    @Test
    void every_tool_of_a_supervised_agent_waits_for_a_person() {
        Gate gate = gate(EchoTool.safe((_, _) -> ran()));

        assertThat(gate.send(call(TrustLevel.SUPERVISED))).isInstanceOf(Answer.Held.class);
        assertThat(runs).hasValue(0);
    }

    private Output ran() {
        runs.incrementAndGet();
        return Output.text("ran");
    }

    private static Gate gate(EchoTool tool) {
        Gate gate = new Gate().with(tool).granting("echo");
        gate.rules.add(new TrustRule());
        return gate;
    }

    private static Call call(TrustLevel trust) {
        return Gate.call("echo", Map.of("text", "hi")).trusting(trust).held(Call.WhenHeld.RETURN);
    }
}
