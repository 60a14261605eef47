package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Commands live as long as the server, neither longer nor shorter. */
class ServerDeathTest {

    @Test
    void commands_die_with_a_server_that_is_killed() throws Exception {
        String mark = "8" + System.nanoTime() % 100_000_000L + ".5";
        try (Ground ground = new Ground()) {
            Process server = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ServerMain.class.getName(),
                            ground.workspace.toString(),
                            "trap '' TERM HUP; setsid sleep " + mark + " & sleep " + mark)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                Waiting.until(() -> Ground.processesMarked("sleep\0" + mark).size() == 2);
            } finally {
                server.destroyForcibly();
            }

            Waiting.until(() -> Ground.processesMarked(mark).isEmpty());
            Waiting.until(
                    () -> Ground.processesMarked(ground.workspace.toString()).isEmpty());
        }
    }

    @Test
    void a_command_outlives_the_thread_that_asked_for_it() throws Exception {
        try (Ground ground = new Ground();
                BubblewrapSandbox sandbox =
                        ground.sandbox(SandboxSettings.standard().withWarm(0, 1))) {
            CompletableFuture<RunningCommand> started = new CompletableFuture<>();
            Thread asking = Thread.ofPlatform().start(() -> {
                try {
                    started.complete(sandbox.start(ground.request("cat; exit 5")));
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
