package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Commands end with the server, but not with the calling thread. */
class ServerDeathTest {

    @Test
    void commands_die_with_a_server_that_is_killed() throws Exception {
        String mark = "8" + System.nanoTime() % 100_000_000L + ".5";
        try (SandboxFixture fixture = new SandboxFixture()) {
            Process server = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ServerMain.class.getName(),
                            fixture.workspace.toString(),
                            "trap '' TERM HUP; setsid sleep " + mark + " & sleep " + mark)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                Waiting.until(
                        () -> SandboxFixture.processesMarked("sleep\0" + mark).size() == 2);
            } finally {
                server.destroyForcibly();
            }

            Waiting.until(() -> SandboxFixture.processesMarked(mark).isEmpty());
            Waiting.until(() ->
                    SandboxFixture.processesMarked(fixture.workspace.toString()).isEmpty());
        }
    }

    @Test
    void a_command_outlives_the_calling_thread() throws Exception {
        try (SandboxFixture fixture = new SandboxFixture();
                BubblewrapSandbox sandbox =
                        fixture.sandbox(SandboxSettings.standard().withWarm(0, 1))) {
            CompletableFuture<RunningCommand> started = new CompletableFuture<>();
            Thread asking = Thread.ofPlatform().start(() -> {
                try {
                    started.complete(sandbox.start(fixture.request("cat; exit 5")));
                } catch (Exception failed) {
                    started.completeExceptionally(failed);
                }
            });
            asking.join();
            try (RunningCommand running = started.get()) {
                assertThat(running.waitFor(Duration.ofMillis(200))).isEmpty();
                running.stdin().close();
                assertThat(running.waitFor(Duration.ofSeconds(20))).hasValue(5);
            }
        }
    }
}
