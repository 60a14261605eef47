package dev.toolgate.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Content;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArtifactRuleTest {

    @ParameterizedTest
    @CsvSource({"COMMAND_OUTPUT, tool_output", "FILE_DIFF, file_diff", "HTTP_BODY, tool_output"})
    void output_above_ten_kilobytes_becomes_an_artifact(ArtifactRule rule, String kind) {
        assertThat(rule.extract("it", Content.of(new byte[10_240]))).isEmpty();
        assertThat(rule.extract("it", Content.of(new byte[10_241]))).hasValueSatisfying(artifact -> {
            assertThat(artifact.kind()).isEqualTo(kind);
            assertThat(artifact.name()).isEqualTo("it");
            assertThat(artifact.uri()).isNull();
            assertThat(artifact.content().size()).isEqualTo(10_241);
        });
        assertThat(rule.extract("it", "application/json", Content.of(new byte[10_241])))
                .hasValueSatisfying(artifact -> assertThat(artifact.mediaType()).isEqualTo("application/json"));
    }
}
