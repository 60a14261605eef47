package dev.toolgate.core.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomeJsonTest {
    private static final int MAX_LENGTH = 256 * 1024;

    @Test
    void a_record_is_read_back_as_a_tree() {
        record Found(String path, int lines) {}
        Outcome outcome = new Outcome.Completed(Output.of("two lines", new Found("/a", 2)));

        Outcome.Completed read = (Outcome.Completed) OutcomeJson.read(OutcomeJson.write(outcome));

        assertThat(read.output().structured()).isEqualTo(Json.MAPPER.readTree("{\"path\":\"/a\",\"lines\":2}"));
        assertThat(read.output().text()).isEqualTo("two lines");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\u0001", "é", "\ud83d\ude00"})
    void an_oversized_outcome_keeps_head_and_tail_and_says_so(String letter) {
        String text = "BEGIN" + letter.repeat(500_000) + "END";
        Artifact artifact = Artifact.of("tool_output", "text/plain", "out.txt", Content.of("x"))
                .storedAt("workspaces/w/artifacts/1", Content.of("x"));
        Outcome outcome = new Outcome.Completed(new Output(
                text, Map.of("text", text), Map.of("exitCode", 1), List.of(artifact), Output.Verdict.ERROR, null));

        String json = OutcomeJson.write(outcome);
        Output read = ((Outcome.Completed) OutcomeJson.read(json)).output();

        assertThat(json).hasSizeLessThanOrEqualTo(MAX_LENGTH);
        assertThat(read.text()).startsWith("BEGIN").endsWith("END").contains("truncated");
        assertThat(read.metadata()).containsOnlyKeys(OutcomeJson.SHORTENED);
        assertThat(read.structured()).isNull();
        assertThat(read.verdict()).isEqualTo(Output.Verdict.ERROR);
    }

    @Test
    void a_failure_that_is_too_long_keeps_its_code_and_message() {
        Failure failure = new Failure(
                ErrorCode.FILE_TOO_LARGE,
                "too large",
                Map.of("dump", "x".repeat(MAX_LENGTH)),
                Duration.ofSeconds(5),
                Output.text("y".repeat(MAX_LENGTH)));

        String json = OutcomeJson.write(new Outcome.Refused(failure));
        Failure read = ((Outcome.Refused) OutcomeJson.read(json)).failure();

        assertThat(json).hasSizeLessThanOrEqualTo(MAX_LENGTH);
        assertThat(read.code()).isEqualTo(ErrorCode.FILE_TOO_LARGE);
        assertThat(read.message()).isEqualTo("too large");
        assertThat(read.retryAfter()).isEqualTo(Duration.ofSeconds(5));
        assertThat(read.details()).containsOnlyKeys(OutcomeJson.SHORTENED);
    }

    @Test
    void reads_the_wait_written_by_earlier_versions() {
        Outcome read = OutcomeJson.read(
                "{\"kind\":\"refused\",\"failure\":{\"code\":\"RATE_LIMITED\",\"message\":\"Too many calls\","
                        + "\"details\":{\"retryAfterSeconds\":30}}}");

        assertThat(read)
                .isEqualTo(new Outcome.Refused(
                        Failure.of(ErrorCode.RATE_LIMITED, "Too many calls").withRetryAfter(Duration.ofSeconds(30))));
    }

    @Test
    void writes_the_wait_for_earlier_versions() {
        Failure failure =
                Failure.of(ErrorCode.RATE_LIMITED, "Too many calls").withRetryAfter(Duration.ofMillis(29_001));

        assertThat(Json.MAPPER
                        .readTree(OutcomeJson.write(new Outcome.Refused(failure)))
                        .at("/failure/details/retryAfterSeconds")
                        .intValue())
                .isEqualTo(30);
    }

    @Test
    void the_content_of_an_artifact_is_not_kept() {
        Artifact artifact = Artifact.of("image", "image/png", "a.png", Content.of("12345"));
        Outcome outcome = new Outcome.Completed(Output.text("x").withArtifacts(List.of(artifact)));

        Outcome.Completed read = (Outcome.Completed) OutcomeJson.read(OutcomeJson.write(outcome));

        Content content = read.output().artifacts().getFirst().content();
        assertThat(content.size()).isEqualTo(5);
        assertThatThrownBy(content::open).hasMessageContaining("artifact store");
    }

    @Test
    void an_unknown_error_code_is_read_as_a_tool_failure() {
        String json = OutcomeJson.write(new Outcome.Failed(Failure.of(ErrorCode.INTERNAL_ERROR, "broken")))
                .replace("INTERNAL_ERROR", "SOMETHING_NEW");

        assertThat(((Outcome.Failed) OutcomeJson.read(json)).failure())
                .isEqualTo(Failure.of(ErrorCode.TOOL_EXECUTION_FAILED, "broken"));
    }
}
