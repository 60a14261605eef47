package dev.toolgate.runtime.tools.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.OutputChunk;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@code data_analyze}. */
class DataToolsTest extends WithData {
    @Test
    void returns_what_the_script_prints() {
        Output output = analysed("""
                import csv, os, sys
                assert os.environ['INPUT_FILE'] == sys.argv[1]
                print(sum(int(row['people']) for row in csv.DictReader(open(sys.argv[1]))))
                """);

        assertThat(json(output)).isEqualTo("{\"stdout\":\"4\\n\"}");
        assertThat(output.text()).isEqualTo("4\n");
    }

    @Test
    void the_path_given_by_the_caller_works_in_the_script() {
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
    void a_failing_script_reports_its_traceback() {
        Failure failure = failed("print('before')\ndef f():\n  return 1 / 0\nf()");

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
        assertThat(failure.message())
                .isEqualTo("The script ended with exit code 1: ZeroDivisionError: division by zero");
        assertThat(String.valueOf(failure.details().get("traceback"))).contains("line 3, in f");
        assertThat(Objects.requireNonNull(failure.partial()).text()).contains("before");
    }

    @Test
    void a_missing_package_is_named_with_the_fix() {
        assertThat(failed("import no_such_package.deep").message())
                .isEqualTo(
                        "The script needs the Python package 'no_such_package', which is not installed where Toolgate"
                                + " runs; to fix it: pip install no_such_package");
    }

    @Test
    void a_file_of_the_workspace_is_not_importable() throws IOException {
        gate.file("csv.py", "raise SystemExit('shadowed')");

        assertThat(analysed("import csv; print('ok')").text()).isEqualTo("ok\n");
    }

    @Test
    void a_time_out_ends_the_script_and_its_processes() {
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
    void cancelling_ends_the_script_and_its_processes() throws InterruptedException {
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
    void long_output_is_truncated_and_stored_as_an_artifact() {
        Output output = analysed("for i in range(100000): print(i)");

        assertThat(output.text().length()).isLessThan(110_000);
        assertThat(output.artifacts()).singleElement().satisfies(artifact -> {
            assertThat(artifact.kind()).isEqualTo("tool_output");
            assertThat(artifact.content().size()).isEqualTo(588_890);
        });
    }

    @Test
    void limits_of_the_session_apply_to_scripts() {
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
                .contains("does not declare which commands it uses");
    }

    private Output analysed(String script) {
        return gate.completed("data_analyze", arguments(script));
    }

    private static List<ProcessHandle> running(String commandLine) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(commandLine))
                .toList();
    }
}
