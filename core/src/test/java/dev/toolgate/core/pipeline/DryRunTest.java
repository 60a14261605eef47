package dev.toolgate.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.decision.Decision;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DryRunTest {
    private final AtomicInteger touched = new AtomicInteger();
    private final Gate gate = new Gate().with(EchoTool.dangerous((arguments, _) -> {
        touched.incrementAndGet();
        return Output.text("");
    }));

    @Test
    void says_what_would_be_decided_and_leaves_no_trace() {
        gate.limits = (caller, tool) -> {
            touched.incrementAndGet();
            return Optional.of(Duration.ofSeconds(1));
        };
        assertThat(dryRun(Map.of("text", "a")).decision())
                .isEqualTo(new Decision.Deny(
                        ErrorCode.PERMISSION_DENIED, "Agent 'local' not permitted to use tool 'echo'"));

        gate.granting("echo");
        assertThat(dryRun(Map.of("text", "a"))).isEqualTo(new DryRunResult(Decision.allow(), null));
        assertThat(touched).hasValue(0);
        assertThat(gate.audit.entries()).isEmpty();
        assertThat(gate.audit.intents()).isEmpty();
    }

    @Test
    void reports_what_would_still_fail() {
        gate.granting("echo");

        DryRunResult result = dryRun(Map.of());
        assertThat(result.decision()).isEqualTo(Decision.allow());
        assertThat(Objects.requireNonNull(result.obstacle()).message()).isEqualTo("Missing required field: text.");
    }

    private DryRunResult dryRun(Map<String, ?> arguments) {
        return gate.pipeline().dryRun(Gate.call("echo", arguments));
    }
}
