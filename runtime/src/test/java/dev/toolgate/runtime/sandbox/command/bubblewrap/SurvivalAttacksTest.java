package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attempts to outlive the time-out, the cancellation or the command. Survivors are found by a marker in their
 * arguments.
 */
class SurvivalAttacksTest extends SandboxAttacks {
    private static final Duration SHORT = Duration.ofMillis(300);

    private final String mark = "9" + System.nanoTime() % 100_000_000L + ".5";

    static Stream<String> waysToSurvive() {
        return Stream.of(
                "sleep MARK",
                "sleep MARK & wait",
                "setsid sleep MARK & wait",
                "setsid setsid sleep MARK & sleep MARK",
                "nohup sleep MARK >/dev/null 2>&1 & wait",
                "(setsid sh -c \"sleep MARK & exit\" &) ; sleep MARK",
                "perl -e 'fork and sleep 99; fork and exit; exec \"sleep\", \"MARK\"'",
                "trap '' TERM HUP INT QUIT; while :; do sleep MARK; done",
                "perl -e '$SIG{$_} = \"IGNORE\" for keys %SIG; exec \"sleep\", \"MARK\"'",
                "exec >&- 2>&- <&-; sleep MARK",
                "sleep MARK & kill -STOP $$");
    }

    @ParameterizedTest
    @MethodSource("waysToSurvive")
    void nothing_outlives_the_time_out(String way) throws Exception {
        try (RunningCommand running = sandbox.start(fixture.request(way.replace("MARK", mark)))) {
            Waiting.until(() -> sleeping() > 0);
            assertThat(running.waitFor(Duration.ofMillis(1))).isEmpty();

            running.terminate(SHORT);

            assertThat(SandboxFixture.processesMarked(mark)).isEmpty();
            assertThat(running.waitFor(Duration.ofSeconds(20))).isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("waysToSurvive")
    void nothing_outlives_closing(String way) throws Exception {
        RunningCommand running = sandbox.start(fixture.request(way.replace("MARK", mark)));
        Waiting.until(() -> sleeping() > 0);

        running.close();

        assertThat(SandboxFixture.processesMarked(mark)).isEmpty();
    }

    @Test
    void nothing_outlives_the_command_itself() throws Exception {
        String leave = "setsid nohup sleep " + mark + " >/dev/null 2>&1 & echo left";

        assertThat(confined(leave).out()).isEqualTo("left\n");
        assertThat(SandboxFixture.processesMarked(mark)).isEmpty();

        unconfined(leave);
        Waiting.until(() -> sleeping() == 1);
        for (long survivor : SandboxFixture.processesMarked(mark)) {
            ProcessHandle.of(survivor).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void a_background_process_holding_the_output_does_not_block() throws Exception {
        try (RunningCommand running = sandbox.start(fixture.request("sleep " + mark + " & echo done"))) {
            assertThat(running.waitFor(Duration.ofSeconds(20))).hasValue(0);
            assertThat(running.stdout().readAllBytes())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("done\n");
        }
        assertThat(SandboxFixture.processesMarked(mark)).isEmpty();
    }

    @Test
    void every_process_gets_the_grace_period() throws Exception {
        // The outer shell ends at once on SIGTERM; the inner one takes a moment to clean up.
        fixture.file(
                fixture.workspace.resolve("tidy.sh"),
                "trap 'sleep 0.3; echo tidied > tidied; exit 0' TERM; : > started; while :; do sleep 0.05; done");
        try (RunningCommand running = sandbox.start(fixture.request("sh tidy.sh; echo went-on > went-on"))) {
            Waiting.until(() -> fixture.workspace.resolve("started").toFile().exists());

            running.terminate(Duration.ofSeconds(20));

            assertThat(fixture.workspace.resolve("tidied")).hasContent("tidied\n");
            assertThat(fixture.workspace.resolve("went-on")).doesNotExist();
        }
    }

    @Test
    void closing_ends_running_commands_and_prepared_sandboxes() throws Exception {
        sandbox.start(fixture.request("sleep " + mark));
        Waiting.until(() -> sleeping() > 0);

        sandbox.close();

        assertThat(SandboxFixture.processesMarked(mark)).isEmpty();
        Waiting.until(() ->
                SandboxFixture.processesMarked(fixture.workspace.toString()).isEmpty());
    }

    @Test
    void termination_works_from_an_interrupted_thread() throws Exception {
        try (RunningCommand running =
                sandbox.start(fixture.request("trap '' TERM; sleep " + mark + "; sleep " + mark))) {
            Waiting.until(() -> sleeping() > 0);
            Thread.currentThread().interrupt();

            running.terminate(SHORT);

            assertThat(Thread.interrupted()).isTrue();
            assertThat(SandboxFixture.processesMarked(mark)).isEmpty();
        }
    }

    private long sleeping() throws IOException {
        return SandboxFixture.processesMarked("sleep\0" + mark).size();
    }
}
