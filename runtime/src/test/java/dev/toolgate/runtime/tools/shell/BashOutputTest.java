package dev.toolgate.runtime.tools.shell;

import static dev.toolgate.runtime.tools.shell.BashFixture.command;
import static dev.toolgate.runtime.tools.shell.BashFixture.withListener;
import static dev.toolgate.runtime.tools.shell.BashFixture.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.artifact.ArtifactStore;
import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.runtime.output.DiskArtifacts;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BashOutputTest extends WithBash {

    @Test
    void output_is_streamed_while_the_command_runs() throws Exception {
        List<OutputChunk> heard = new CopyOnWriteArrayList<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                bash.tool.call(
                        command("echo first; until [ -e go ]; do sleep 0.05; done; echo last >&2", 50),
                        withListener(heard::add));
            } catch (Exception unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        await().until(() -> heard.contains(new OutputChunk(OutputChunk.Source.STDOUT, "first\n")));
        assertThat(caller.isAlive()).isTrue();

        Files.createFile(bash.workspace.resolve("go"));
        caller.join();

        assertThat(heard)
                .containsExactly(
                        new OutputChunk(OutputChunk.Source.STDOUT, "first\n"),
                        new OutputChunk(OutputChunk.Source.STDERR, "last\n"));
    }

    @Test
    void a_listener_that_throws_does_not_disturb_the_command() throws Exception {
        Output output = bash.tool.call(command("echo out; echo err >&2", null), withListener(chunk -> {
            throw new IllegalStateException("no more");
        }));

        assertThat(output.text()).contains("out", "err");
    }

    @Test
    void output_above_ten_kilobytes_becomes_a_complete_artifact() throws Exception {
        Output output = bash.run("seq 1 50000");
        ArtifactStore store = DiskArtifacts.in(folder.resolve("artifacts"));

        assertThat(output.artifacts()).hasSize(1);
        Artifact stored = store.store(Caller.local(), output.artifacts().getFirst());
        String whole = IntStream.rangeClosed(1, 50_000).mapToObj(i -> i + "\n").collect(Collectors.joining());
        try (InputStream bytes = store.find(Caller.local().tenant(), String.valueOf(stored.uri()))
                .orElseThrow()
                .open()) {
            assertThat(new String(bytes.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(whole);
        }
        assertThat(bash.spool).isEmptyDirectory();
        assertThat(stored.kind()).isEqualTo("tool_output");
        assertThat(output.metadata()).containsEntry("stdoutBytes", (long) whole.length());
    }

    @Test
    void output_up_to_ten_kilobytes_leaves_no_artifact_or_file() throws Exception {
        Output output = bash.run("head -c 10240 /dev/zero | tr '\\0' x");

        assertThat(output.artifacts()).isEmpty();
        assertThat(bash.spool).isEmptyDirectory();
    }

    @Test
    void large_output_shows_head_and_tail_within_100_kilobytes() throws Exception {
        Output output = bash.run("seq 1 100000");

        assertThat(bytes(output)).isLessThanOrEqualTo(102_400).isGreaterThan(102_300);
        assertThat(output.text())
                .startsWith("Exit code: 0\n--- stdout ---\n1\n2\n3\n")
                .contains("\n[... truncated ")
                .endsWith("99999\n100000\n--- stderr ---\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50, 100, 150, 200, 1_000, 5_000})
    void both_streams_together_stay_within_the_bounds(int limit) throws Exception {
        Output output = bash.tool.call(
                command("seq 1 2000; yes é | head -n 3000 >&2; echo end >&2", null), within(Bounds.sizes(null, limit)));

        assertThat(bytes(output)).isLessThanOrEqualTo(limit);
        if (limit >= 1_000) {
            ShellResult result = BashFixture.result(output);
            assertThat(result.stdout()).startsWith("1\n2\n").endsWith("2000\n");
            assertThat(result.stderr()).startsWith("é\n").endsWith("é\nend\n");
        }
    }

    @Test
    void a_flood_on_one_stream_keeps_the_other_stream() throws Exception {
        Bounds bounds = Bounds.sizes(null, 2_000);

        assertThat(bash.tool
                        .call(command("seq 1 10000; echo the reason >&2", null), within(bounds))
                        .text())
                .endsWith("--- stderr ---\nthe reason\n");
        assertThat(bash.tool
                        .call(command("seq 1 10000 >&2; echo the result", null), within(bounds))
                        .text())
                .contains("--- stdout ---\nthe result\n--- stderr ---\n1\n");
    }

    @Test
    void invalid_bytes_are_replaced_in_text_and_kept_in_artifacts() throws Exception {
        Output output = bash.run("printf 'a\\377b'; head -c 20000 /dev/zero");

        assertThat(output.text()).contains("a\uFFFDb");
        try (InputStream bytes = output.artifacts().getFirst().content().open()) {
            assertThat(bytes.readNBytes(3)).containsExactly('a', 0xFF, 'b');
        }
    }

    private static int bytes(Output output) {
        return output.text().getBytes(StandardCharsets.UTF_8).length;
    }
}
