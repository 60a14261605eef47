package dev.toolgate.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.limit.RefusedCalls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Refused calls are counted, rate-limited and recorded with bounded size. */
class RefusedCallsTest {
    private final Gate gate = new Gate();
    private int counted;
    private int rejected;

    RefusedCallsTest() {
        gate.refusedCalls = new RefusedCalls() {
            @Override
            public void count(Caller caller) {
                counted++;
            }

            @Override
            public Optional<Rejection> rejection(Caller caller) {
                return counted < 3 ? Optional.empty() : Optional.of(new Rejection(Duration.ofSeconds(7), rejected++));
            }
        };
    }

    @Test
    void an_agent_with_many_refused_calls_is_rate_limited_and_not_recorded() {
        gate.with(EchoTool.safe());
        for (int call = 0; call < 3; call++) {
            assertThat(code(gate.send("echo", Map.of("text", "hi")))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        }
        for (int call = 0; call < 5; call++) {
            Answer answer = gate.send("echo", Map.of("text", "hi"));
            assertThat(code(answer)).isEqualTo(ErrorCode.RATE_LIMITED);
            assertThat(Answers.undecided(answer).failure().facts()).containsEntry("retryAfterSeconds", 7L);
            assertThat(answer.logged()).isEqualTo(call == 0);
        }
        assertThat(gate.audit.entries()).hasSize(4);
    }

    @Test
    void calls_that_run_are_not_counted_and_wrong_arguments_are() {
        gate.with(EchoTool.safe()).granting("echo");
        for (int call = 0; call < 10; call++) {
            assertThat(gate.send("echo", Map.of("text", "hi")).asOutcome()).isInstanceOf(Outcome.Completed.class);
        }
        gate.send("echo", Map.of("times", "many"));

        assertThat(counted).isEqualTo(1);
    }

    @Test
    void a_large_refused_call_is_recorded_small_with_its_fields() {
        gate.with(EchoTool.safe());

        gate.send("echo", Map.of("path", "/a/path", "text", "x".repeat(9_500_000)));

        String recorded = gate.audit.entries().getLast().parameters().toString();
        assertThat(recorded.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(4096);
        assertThat(recorded).contains("/a/path", "9,500,000 characters", "hmac-sha256:");
    }

    private static ErrorCode code(Answer answer) {
        return Answers.problem(answer).code();
    }
}
