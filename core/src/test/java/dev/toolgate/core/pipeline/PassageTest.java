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

class PassageTest {
    private static final Approvals.Answer YES =
            new Approvals.Answer(Approvals.Verdict.APPROVED, "carol", null, Instant.EPOCH);

    @Test
    void a_part_that_a_stage_has_written_cannot_be_written_again() {
        List<Consumer<Passage>> writers = List.of(
                passage -> passage.found(EchoTool.safe()),
                passage -> passage.unfit(Failure.of(ErrorCode.INVALID_REQUEST, "wrong")),
                passage -> passage.decided(Decision.allow(), Bounds.none()),
                passage -> passage.settled(YES));
        for (Consumer<Passage> writer : writers) {
            Passage passage = new Passage(Gate.call("echo", Map.of()), Instant.now());
            writer.accept(passage);

            assertThatThrownBy(() -> writer.accept(passage)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void what_a_stage_has_not_reached_cannot_be_read() {
        Passage passage = new Passage(Gate.call("echo", Map.of()), Instant.now());

        assertThatThrownBy(passage::decision).hasMessageContaining("'decide'");
        assertThatThrownBy(passage::bound).hasMessageContaining("'bind'");
        assertThat(passage.approval()).isNull();
        assertThat(passage.question()).isNull();
    }
}
