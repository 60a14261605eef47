package dev.toolgate.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.decision.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CallProgressTest {
    private static final Approvals.Answer YES =
            new Approvals.Answer(Approvals.Verdict.APPROVED, "carol", null, Instant.EPOCH);

    @Test
    void a_part_cannot_be_written_twice() {
        List<Consumer<CallProgress>> writers = List.of(
                progress -> progress.found(EchoTool.safe()),
                progress -> progress.rejectArguments(Failure.of(ErrorCode.INVALID_REQUEST, "wrong")),
                progress -> progress.decided(Decision.allow(), Bounds.none()),
                progress -> progress.settled(YES));
        for (Consumer<CallProgress> writer : writers) {
            CallProgress progress = new CallProgress(Gate.call("echo", Map.of()), Instant.now());
            writer.accept(progress);

            assertThatThrownBy(() -> writer.accept(progress)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void a_part_cannot_be_read_before_its_stage() {
        CallProgress progress = new CallProgress(Gate.call("echo", Map.of()), Instant.now());

        assertThatThrownBy(progress::decision).hasMessageContaining("'decide'");
        assertThatThrownBy(progress::bound).hasMessageContaining("'bind'");
        assertThat(progress.approval()).isNull();
        assertThat(progress.question()).isNull();
    }
}
