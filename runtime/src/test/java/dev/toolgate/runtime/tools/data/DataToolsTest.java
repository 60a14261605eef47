package dev.toolgate.runtime.tools.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.schema.Json;
import dev.toolgate.runtime.SessionGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts on data, through the whole gate, in the real sandbox. */
@Timeout(120)
class DataToolsTest {
    private static final String DATA = "city,people\nRome,3\nOslo,1\n";

    // A picture of one pixel, made without any package.
    private static final String PNG = """
            import sys, os, struct, zlib
            def chunk(kind, data):
                return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
            def png(path):
                with open(path, 'wb') as f:
                    f.write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 0, 0, 0, 0))
                            + chunk(b'IDAT', zlib.compress(b'\\x00\\x80')) + chunk(b'IEND', b''))
            """;

    @TempDir
    private Path folder;

    private SessionGate gate;
    private Path input;
    private Path victim;

    @BeforeEach
    void open() throws IOException {
        gate = new SessionGate(folder).allowing(CapabilityGrant.named("Code.Execute"));
        input = gate.file("data/cities.csv", DATA);
        victim = gate.file("other/victim", "untouched");
    }

    @AfterEach
    void close() throws IOException {
        gate.close();
        assertThat(input).hasContent(DATA);
        assertThat(victim).hasContent("untouched");
    }

    @Test
    void analyses_a_file_and_returns_what_the_script_prints() {
        Output output = analysed("""
                import csv, os, sys
                assert os.environ['INPUT_FILE'] == sys.argv[1]
                print(sum(int(row['people']) for row in csv.DictReader(open(sys.argv[1]))))
                """);

        assertThat(json(output)).isEqualTo("{\"stdout\":\"4\\n\"}");
        assertThat(output.text()).isEqualTo("4\n");
    }

    @Test
    void the_path_as_the_caller_writes_it_works_in_the_script_too() {
        assertThat(analysed("print(len(open('./data/cities.csv').readlines()))").text())
                .isEqualTo("3\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "open(f, 'w').write('bad')",
                "open(f, 'a').write('bad')",
                "os.truncate(f, 0)",
                "os.remove(f)",
                "os.rename(f, f + '.old')",
                "os.rename(os.path.dirname(f), '/tmp/gone')",
                "os.chmod(f, 0o777); open(f, 'w')",
                "os.link(f, '/tmp/second'); open('/tmp/second', 'w').write('bad')",
                "os.symlink(f, '/tmp/link'); open('/tmp/link', 'w').write('bad')",
                "open('/tmp/new', 'w').write('bad'); os.replace('/tmp/new', f)",
                "subprocess.run(['sh', '-c', 'echo bad > ' + f], check=True)",
                "subprocess.run(['umount', f], check=True)",
                "open('/proc/self/root' + f, 'w').write('bad')",
            })
    void a_script_cannot_change_its_input(String attack) {
        Failure failure = failed("import os, subprocess, sys\nf = sys.argv[1]\n" + attack);

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print(open('other/victim').read())",
                "open('other/victim', 'w').write('bad')",
                "open('new.txt', 'w').write('bad')",
                "open('data/new.txt', 'w').write('bad')",
                "print(open('/etc/shadow').read())",
                "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1')",
            })
    void a_script_reaches_nothing_but_its_input(String attack) throws IOException {
        assertThat(Objects.requireNonNull(failed(attack).partial()).text()).doesNotContain("untouched");
        assertThat(names(gate.workspace)).containsExactly("data", "other");
        assertThat(names(gate.workspace.resolve("data"))).containsExactly("cities.csv");
    }

    @Test
    void a_script_that_breaks_says_how() {
        Failure failure = failed("print('before')\ndef f():\n  return 1 / 0\nf()");

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
        assertThat(failure.message())
                .isEqualTo("The script ended with exit code 1: ZeroDivisionError: division by zero");
        assertThat(String.valueOf(failure.details().get("traceback"))).contains("line 3, in f");
        assertThat(Objects.requireNonNull(failure.partial()).text()).contains("before");
    }

    @Test
    void a_package_that_is_not_there_is_named_with_the_fix() {
        assertThat(failed("import no_such_package.deep").message())
                .isEqualTo(
                        "The script needs the Python package 'no_such_package', which is not installed where Toolgate"
                                + " runs; to fix it: pip install no_such_package");
    }

    @Test
    void a_file_of_the_workspace_is_not_taken_for_a_package() throws IOException {
        gate.file("csv.py", "raise SystemExit('shadowed')");

        assertThat(analysed("import csv; print('ok')").text()).isEqualTo("ok\n");
    }

    @Test
    void the_time_of_the_call_ends_the_script_and_all_it_started() {
        String mark = "sleep 3" + System.nanoTime() % 1_000_000;
        Call call = gate.call(
                        "data_analyze",
                        arguments("import os, time\nprint('begun', flush=True)\nos.system('" + mark
                                + " &')\ntime.sleep(300)"))
                .within(Bounds.time(Duration.ofSeconds(3)));

        Failure failure = ((Outcome.Failed) gate.send(call)).failure();

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
        assertThat(Objects.requireNonNull(failure.partial()).text()).contains("begun");
        assertThat(running(mark)).isEmpty();
    }

    @Test
    void cancelling_the_call_ends_the_script_and_all_it_started() throws InterruptedException {
        String mark = "sleep 4" + System.nanoTime() % 1_000_000;
        Cancellation cancellation = new Cancellation();
        ConcurrentLinkedQueue<OutputChunk> heard = new ConcurrentLinkedQueue<>();
        Call call = gate.call(
                        "data_analyze",
                        arguments("import os, time\nos.system('" + mark
                                + " &')\nprint('begun', flush=True)\ntime.sleep(300)"))
                .followedBy(heard::add, cancellation);
        Thread canceller = Thread.ofVirtual().start(() -> {
            await().until(() -> !heard.isEmpty());
            cancellation.cancel();
        });

        assertThat(((Outcome.Failed) gate.send(call)).failure().message()).isEqualTo("The call was cancelled");
        canceller.join();
        assertThat(running(mark)).isEmpty();
    }

    @Test
    void long_output_is_cut_and_kept_as_an_artifact() {
        Output output = analysed("for i in range(100000): print(i)");

        assertThat(output.text().length()).isLessThan(110_000);
        assertThat(output.artifacts()).singleElement().satisfies(artifact -> {
            assertThat(artifact.kind()).isEqualTo("tool_output");
            assertThat(artifact.content().size()).isEqualTo(588_890);
        });
    }

    @Test
    void an_image_comes_back_as_an_artifact_and_stands_at_its_path() throws IOException {
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
    void the_path_as_the_caller_writes_it_can_be_written_to() {
        drawn(PNG + "png('./plot.png')", "./plot.png");

        assertThat(gate.workspace.resolve("plot.png")).isNotEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pass", "open(sys.argv[2], 'w').write('')", "open(sys.argv[2], 'w').write('text')", "1 / 0"})
    void without_an_image_it_fails_and_an_older_image_stays(String script) throws IOException {
        Path older = gate.file("plot.png", "older");

        Failure failure = gate.failed("data_visualize", drawing("import sys\n" + script, "plot.png"));

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
        assertThat(failure.message()).containsAnyOf("no image", "ZeroDivisionError");
        assertThat(older).hasContent("older");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../plot.png", "/tmp/plot.png", ".env", "data/cities.csv", ".", ".git/hooks/x"})
    void an_image_goes_nowhere_else(String path) throws IOException {
        gate.failed("data_visualize", drawing(PNG + "png(sys.argv[2])", path));

        assertThat(names(gate.workspace)).containsExactly("data", "other");
    }

    @Test
    void a_link_planted_at_the_place_of_the_image_leads_to_no_victim() throws IOException {
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
    void limits_of_the_session_hold_for_scripts() {
        gate.allowing(limited(List.of("data", "plots"), null));
        assertThat(analysed("print(1)").text()).isEqualTo("1\n");
        assertThat(gate.refused(
                                "data_analyze",
                                Map.of("input_file_path", "other/victim", "analysis_script", "print(1)"))
                        .code())
                .isEqualTo(ErrorCode.CAPABILITY_DENIED);
        assertThat(gate.refused("data_visualize", drawing("pass", "plot.png")).code())
                .isEqualTo(ErrorCode.CAPABILITY_DENIED);

        gate.allowing(limited(List.of("**/*.csv"), null));
        assertThat(analysed("print(2)").text()).isEqualTo("2\n");

        gate.allowing(limited(null, List.of("ls")));
        assertThat(gate.refused("data_analyze", arguments("print(1)")).message())
                .contains("cannot be held to the commands");
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

    private Output analysed(String script) {
        return gate.completed("data_analyze", arguments(script));
    }

    private Failure failed(String script) {
        return gate.failed("data_analyze", arguments(script));
    }

    private Output drawn(String script, String path) {
        return gate.completed("data_visualize", drawing(script, path));
    }

    private static Map<String, ?> arguments(String script) {
        return Map.of("input_file_path", "data/cities.csv", "analysis_script", script);
    }

    private static Map<String, ?> drawing(String script, String path) {
        return Map.of("input_file_path", "data/cities.csv", "visualization_script", script, "output_image_path", path);
    }

    private static String json(Output output) {
        return Json.MAPPER.writeValueAsString(output.structured());
    }

    private static CapabilityGrant limited(@Nullable List<String> paths, @Nullable List<String> commands) {
        return new CapabilityGrant("Code.Execute", paths, null, commands, null, null, null, null, null, false, null);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }

    private static List<ProcessHandle> running(String commandLine) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(commandLine))
                .toList();
    }
}
