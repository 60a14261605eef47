package dev.toolgate.runtime.tools.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@code data_visualize}. */
class DataVisualizeTest extends WithData {
    // An image of one pixel, created without any package.
    private static final String PNG = """
            import sys, os, struct, zlib
            def chunk(kind, data):
                return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
            def png(path):
                with open(path, 'wb') as f:
                    f.write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 0, 0, 0, 0))
                            + chunk(b'IDAT', zlib.compress(b'\\x00\\x80')) + chunk(b'IEND', b''))
            """;

    @Test
    void an_image_is_returned_as_an_artifact_and_written() throws IOException {
        Output output =
                drawn(PNG + "assert os.environ['OUTPUT_IMAGE'] == sys.argv[2]\npng(sys.argv[2])", "./plots/a.png");

        assertThat(json(output))
                .isEqualTo("{\"message\":\"Visualization generated\",\"output_image_path\":\"./plots/a.png\"}");
        Artifact image = output.artifacts().getFirst();
        assertThat(image.kind()).isEqualTo("image");
        assertThat(image.mediaType()).isEqualTo("image/png");
        assertThat(image.name()).isEqualTo("a.png");
        assertThat(image.uri()).isNotNull();
        assertThat(Files.readAllBytes(gate.workspace.resolve("plots/a.png")))
                .hasSize((int) image.content().size())
                .startsWith(0x89, 'P', 'N', 'G');
    }

    @Test
    void the_path_given_by_the_caller_is_writable() {
        drawn(PNG + "png('./plot.png')", "./plot.png");

        assertThat(gate.workspace.resolve("plot.png")).isNotEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pass", "open(sys.argv[2], 'w').write('')", "open(sys.argv[2], 'w').write('text')", "1 / 0"})
    void fails_without_an_image_and_keeps_an_older_one(String script) throws IOException {
        Path older = gate.file("plot.png", "older");

        Failure failure = gate.failed("data_visualize", drawing("import sys\n" + script, "plot.png"));

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
        assertThat(failure.message()).containsAnyOf("no image", "not a supported image", "ZeroDivisionError");
        assertThat(older).hasContent("older");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../plot.png", "/tmp/plot.png", ".env", "data/cities.csv", ".", ".git/hooks/x"})
    void an_image_cannot_be_written_elsewhere(String path) throws IOException {
        gate.failed("data_visualize", drawing(PNG + "png(sys.argv[2])", path));

        assertThat(names(gate.workspace)).containsExactly("data", "other");
    }

    @Test
    void a_link_planted_at_the_image_path_is_not_followed() throws IOException {
        Path outside = Files.writeString(folder.resolve("outside"), "untouched");
        Files.createSymbolicLink(gate.workspace.resolve("out.png"), outside);
        Files.createSymbolicLink(gate.workspace.resolve("in.png"), input);
        Files.createSymbolicLink(gate.workspace.resolve("data/side.png"), victim);

        gate.failed("data_visualize", drawing(PNG + "png(sys.argv[2])", "out.png"));
        gate.failed("data_visualize", drawing(PNG + "png(sys.argv[2])", "in.png"));
        gate.allowing(limited(List.of("data"), null));
        gate.refused("data_visualize", drawing(PNG + "png(sys.argv[2])", "data/side.png"));

        assertThat(outside).hasContent("untouched");
    }

    @Test
    void pandas_and_matplotlib_work_where_they_are_installed() {
        assumeThat(Path.of("/usr/lib/python3/dist-packages/matplotlib")).exists();
        assumeThat(Path.of("/usr/lib/python3/dist-packages/pandas")).exists();

        Output output = drawn("""
                import os, pandas
                import matplotlib.pyplot as plt
                data = pandas.read_csv(os.environ['INPUT_FILE'])
                data.plot.bar(x='city', y='people')
                plt.savefig(os.environ['OUTPUT_IMAGE'])
                """, "bars.png");

        assertThat(output.artifacts().getLast().mediaType()).isEqualTo("image/png");
    }

    private Output drawn(String script, String path) {
        return gate.completed("data_visualize", drawing(script, path));
    }
}
