package dev.toolgate.runtime.tools.shell;

import static dev.toolgate.runtime.tools.shell.BashFixture.command;
import static dev.toolgate.runtime.tools.shell.BashFixture.withListener;
import static dev.toolgate.runtime.tools.shell.BashFixture.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tool ends with its command and leaves nothing behind, however it ends. */
@Timeout(60)
class BashEndingTest extends WithBash {

    @AfterEach
    void nothing_is_left() {
        assertThat(bash.sandbox.nothingIsAlive()).isTrue();
        assertThat(bash.spool).isEmptyDirectory();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("command-std")));
    }

    @Test
    void a_background_process_holding_the_output_does_not_block() throws Exception {
        Output output = bash.run("sleep 300 & echo started");

        assertThat(output.text()).isEqualTo("Exit code: 0\n--- stdout ---\nstarted\n--- stderr ---\n");
    }

    @Test
    void a_background_process_that_keeps_writing_does_not_block() throws Exception {
        Output output = bash.run("yes & echo started");

        assertThat(output.metadata()).containsEntry("exitCode", 0);
        assertThat(output.text()).contains("started");
        // The output is irrelevant here; a spool file that is left belongs to an artifact.
        deleteSpooled(output);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo before; sleep 300",
                "echo before; sleep 300 & sleep 300",
                "echo before; exec >/dev/null 2>&1; sleep 300",
                "echo before; nohup sleep 300 >/dev/null 2>&1 & wait",
            })
    void a_time_out_shows_the_output_and_ends_the_whole_tree(String line) {
        ToolFailure failure =
                catchThrowableOfType(ToolFailure.class, () -> bash.tool.call(command(line, 2), within(Bounds.none())));

        assertThat(Objects.requireNonNull(failure.failure().partial()).text())
                .isEqualTo("Command timed out after 2 seconds\n--- stdout ---\nbefore\n--- stderr ---\n");
    }

    @Test
    void a_command_that_ignores_sigterm_is_killed_after_the_grace() {
        ToolFailure failure = catchThrowableOfType(
                ToolFailure.class,
                () -> bash.tool.call(
                        command("trap 'echo asked' TERM; while :; do sleep 0.1; done", 2), within(Bounds.none())));

        assertThat(Objects.requireNonNull(failure.failure().partial()).text()).contains("asked");
    }

    @Test
    void large_partial_output_leaves_no_file_behind() {
        ToolFailure failure = catchThrowableOfType(
                ToolFailure.class, () -> bash.tool.call(command("seq 100000; sleep 300", 1), within(Bounds.none())));

        assertThat(Objects.requireNonNull(failure.failure().partial()).artifacts())
                .isEmpty();
    }

    @Test
    void an_interrupt_ends_the_command_and_is_passed_on() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Path started = bash.workspace.resolve("started");
        Thread caller =
                Thread.ofVirtual().start(() -> thrown.set(catchThrowable(() -> bash.run("touch started; sleep 300"))));
        await().until(() -> Files.exists(started));

        caller.interrupt();
        caller.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void a_listener_that_never_returns_does_not_block() throws Exception {
        CountDownLatch letGo = new CountDownLatch(1);
        try {
            Output output = bash.tool.call(command("echo hello", null), withListener(chunk -> {
                try {
                    letGo.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }));
            assertThat(output.text()).contains("hello");
        } finally {
            letGo.countDown();
        }
    }

    private static void deleteSpooled(Output output) {
        output.artifacts().forEach(artifact -> {
            try {
                Files.delete(((Content.InFile) artifact.content()).file());
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        });
    }
}
