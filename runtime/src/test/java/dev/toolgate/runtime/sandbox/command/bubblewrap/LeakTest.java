package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many commands leak no resources. */
class LeakTest {
    private static final int LANES = 4;
    private static final int TOLERATED = 8;

    @Test
    void a_thousand_commands_leak_no_thread_descriptor_or_process() throws Exception {
        runAndCompare(1_000 / LANES);
    }

    @Test
    @Tag("soak")
    void twenty_thousand_commands_leak_no_thread_descriptor_or_process() throws Exception {
        runAndCompare(20_000 / LANES);
    }

    private static void runAndCompare(int commandsPerLane) throws Exception {
        try (SandboxFixture fixture = new SandboxFixture()) {
            run(fixture, commandsPerLane);
            Waiting.until(() ->
                    SandboxFixture.processesMarked(fixture.base.toString()).isEmpty());
        }
    }

    private static void run(SandboxFixture fixture, int commandsPerLane) throws Exception {
        try (BubblewrapSandbox sandbox = fixture.sandbox(SandboxSettings.standard())) {
            List<Path> workspaces = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                workspaces.add(fixture.folder(fixture.workspace.resolveSibling("lane-" + lane)));
            }
            runInAll(sandbox, workspaces, 5);
            settle(sandbox, workspaces);
            long descriptors = descriptors();
            int threads = threads();

            runInAll(sandbox, workspaces, commandsPerLane);
            settle(sandbox, workspaces);

            assertThat(descriptors()).isLessThanOrEqualTo(descriptors + TOLERATED);
            assertThat(threads()).isLessThanOrEqualTo(threads + TOLERATED);
        }
    }

    private static void runInAll(BubblewrapSandbox sandbox, List<Path> workspaces, int commands) throws Exception {
        try (ExecutorService lanes = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> done = new ArrayList<>();
            for (Path workspace : workspaces) {
                done.add(lanes.submit(() -> {
                    for (int n = 0; n < commands; n++) {
                        run(sandbox, workspace, n);
                    }
                    return null;
                }));
            }
            for (Future<?> lane : done) {
                lane.get();
            }
        }
    }

    /** Commands that exit, time out or leave a background process, in turn. */
    private static void run(BubblewrapSandbox sandbox, Path workspace, int n) throws Exception {
        String command =
                switch (n % 10) {
                    case 3 -> "sleep 100";
                    case 6 -> "setsid sleep 100 & exit 7";
                    default -> "exit 7";
                };
        CommandRequest request = CommandRequest.inWholeWorkspace(command, workspace, workspace, Map.of(), List.of());
        try (RunningCommand running = sandbox.start(request)) {
            if (n % 10 == 3) {
                running.terminate(Duration.ZERO);
            } else {
                assertThat(running.waitFor(Duration.ofSeconds(60))).hasValue(7);
            }
        }
    }

    /** Both counts are taken with the same number of prepared sandboxes. */
    private static void settle(BubblewrapSandbox sandbox, List<Path> workspaces) {
        Waiting.until(() -> workspaces.stream().allMatch(workspace -> sandbox.preparedCount(workspace) == 2));
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static int threads() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return (int) threads.count();
        }
    }
}
