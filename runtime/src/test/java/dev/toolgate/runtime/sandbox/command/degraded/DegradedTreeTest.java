package dev.toolgate.runtime.sandbox.command.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No process of a command outlives it. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class DegradedTreeTest extends WithDegradedSandbox {

    /** Each prints the id of a process that tries to escape, then keeps running. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 600 & echo $!; wait",
                "(trap '' TERM; while :; do sleep 1; done) & echo $!; wait",
                "nohup sleep 600 >/dev/null 2>&1 & echo $!; wait",
                "setsid sh -c 'echo $$; exec sleep 600' & wait",
                "(setsid sh -c '(trap \"\" TERM HUP; sleep 600) >/dev/null 2>&1 & echo $!' &); sleep 600",
                "perl -MPOSIX -e '$|=1; exit if fork; setsid; exit if fork; setpgid(0,0); $SIG{TERM}=\"IGNORE\";"
                        + " print \"$$\\n\"; close STDOUT; close STDERR; sleep 600'; sleep 600"
            })
    void ends_every_process_of_the_tree(String escape) throws Exception {
        RunningCommand command = fixture.start(escape);
        ProcessHandle runaway = runaway(command);
        assertThat(runaway.isAlive()).isTrue();
        assertThat(command.waitFor(Duration.ZERO)).isEmpty();
        command.terminate(Duration.ofMillis(50));
        assertThat(isAlive(runaway)).isFalse();
        assertThat(command.waitFor(Duration.ofMinutes(1))).isPresent();
        command.close();
    }

    @Test
    void closing_ends_leftover_processes_of_a_finished_command() throws Exception {
        RunningCommand command = fixture.start("(setsid sleep 600 & echo $!)");
        ProcessHandle runaway = runaway(command);
        assertThat(command.waitFor(Duration.ofMinutes(1)))
                .as("while stdout is held open")
                .hasValue(0);
        assertThat(isAlive(runaway)).isTrue();
        command.close();
        assertThat(isAlive(runaway)).isFalse();
    }

    @Test
    void gives_a_command_the_grace_period() throws Exception {
        RunningCommand command =
                fixture.start("trap 'echo ended > mark; exit 0' TERM; echo $$; while :; do sleep 0.01; done");
        runaway(command);
        command.terminate(Duration.ofMinutes(1));
        assertThat(fixture.workspace.resolve("mark")).hasContent("ended");
        assertThat(command.waitFor(Duration.ofMinutes(1))).hasValue(0);
        command.close();
    }

    @Test
    void ends_everything_when_the_sandbox_is_closed() throws Exception {
        ProcessHandle runaway = runaway(fixture.start("setsid sh -c 'echo $$; exec sleep 600' & wait"));
        fixture.sandbox.close();
        assertThat(isAlive(runaway)).isFalse();
    }

    @Test
    void ends_the_command_when_the_server_is_killed() throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledServer.class.getName(),
                        Files.createDirectory(folder.resolve("killed")).toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            ProcessHandle runaway = process(server.inputReader().readLine());
            assertThat(isAlive(runaway)).isTrue();
            server.destroyForcibly().waitFor();
            await().until(() -> !isAlive(runaway));
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void leaks_no_process_thread_or_descriptor() throws Exception {
        fixture.run("true");
        long descriptors = count("/proc/self/fd");
        long children = ProcessHandle.current().children().count();
        Set<Thread> others = ownThreads(); // such as the one that starts confined commands, in earlier tests
        for (int i = 0; i < 100; i++) {
            assertThat(fixture.run("(setsid sleep 600 >/dev/null 2>&1 &); echo " + i)
                            .out())
                    .isEqualTo(i + "\n");
        }
        assertThat(count("/proc/self/fd")).isLessThanOrEqualTo(descriptors + 5);
        assertThat(ProcessHandle.current().children().count()).isEqualTo(children);
        await().until(() -> others.containsAll(ownThreads()));
    }

    private static Set<Thread> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("toolgate-"))
                .collect(Collectors.toSet());
    }

    private static ProcessHandle runaway(RunningCommand command) throws Exception {
        BufferedReader reader = new BufferedReader(new InputStreamReader(command.stdout(), StandardCharsets.UTF_8));
        return process(reader.readLine());
    }

    private static ProcessHandle process(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    /** A zombie is not alive. */
    private static boolean isAlive(ProcessHandle process) throws Exception {
        Path status = Path.of("/proc/" + process.pid() + "/status");
        try {
            return process.isAlive() && !Files.readString(status).contains("State:\tZ");
        } catch (IOException gone) {
            return false;
        }
    }

    private static long count(String folder) throws Exception {
        try (Stream<Path> entries = Files.list(Path.of(folder))) {
            return entries.count();
        }
    }
}
