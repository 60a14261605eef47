package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Prepared sandboxes. */
class SandboxPoolTest extends WithSandboxFixture {

    @Test
    void a_command_uses_a_prepared_sandbox() throws Exception {
        try (BubblewrapSandbox sandbox = fixture.sandbox(SandboxSettings.standard())) {
            sandbox.prepare(fixture.workspace);
            Waiting.until(() -> sandbox.preparedCount(fixture.workspace) == 2);

            try (RunningCommand running = sandbox.start(fixture.request("sleep 30"))) {
                assertThat(sandbox.preparedCount(fixture.workspace)).isEqualTo(1);
                assertThat(running.waitFor(Duration.ofMillis(1))).isEmpty();
            }
            Waiting.until(() -> sandbox.preparedCount(fixture.workspace) == 2);
        }
    }

    @Test
    void no_sandbox_is_used_twice() throws Exception {
        try (BubblewrapSandbox sandbox = fixture.sandbox(SandboxSettings.standard())) {
            for (int i = 0; i < 6; i++) {
                assertThat(fixture.confined(
                                        sandbox, "cat /tmp/left ~/left 2>/dev/null; echo x | tee /tmp/left > ~/left")
                                .out())
                        .isEmpty();
            }
        }
    }

    @Test
    void a_sandbox_is_discarded_if_the_repository_was_replaced() throws Exception {
        fixture.file(fixture.workspace.resolve(".git/config"), "old");
        try (BubblewrapSandbox sandbox = fixture.sandbox(SandboxSettings.standard())) {
            sandbox.prepare(fixture.workspace);
            Waiting.until(() -> sandbox.preparedCount(fixture.workspace) == 2);
            Path config = fixture.workspace.resolve(".git/config");
            Files.delete(config);
            fixture.file(config, "new");

            assertThat(fixture.confined(sandbox, "cat .git/config; echo owned > .git/config")
                            .out())
                    .isEqualTo("new");
            assertThat(config).hasContent("new");
        }
    }

    @Test
    void closing_while_sandboxes_are_being_started_leaves_none_behind() throws Exception {
        for (int i = 0; i < 15; i++) {
            try (BubblewrapSandbox sandbox = fixture.sandbox(SandboxSettings.standard())) {
                sandbox.prepare(fixture.workspace);
                Waiting.until(() -> !SandboxFixture.processesMarked(fixture.workspace.toString())
                        .isEmpty());
            }
        }
        Waiting.until(() ->
                SandboxFixture.processesMarked(fixture.workspace.toString()).isEmpty());
    }

    @Test
    void only_recently_used_workspaces_have_prepared_sandboxes() throws Exception {
        try (BubblewrapSandbox sandbox =
                fixture.sandbox(SandboxSettings.standard().withWarm(1, 2))) {
            List<Path> workspaces = List.of(lane("a"), lane("b"), lane("c"));
            for (Path workspace : workspaces) {
                sandbox.prepare(workspace);
                Waiting.until(() -> sandbox.preparedCount(workspace) == 1);
            }

            assertThat(workspaces.stream().map(sandbox::preparedCount)).containsExactly(0, 1, 1);
        }
    }

    @Test
    void unused_sandboxes_are_closed_after_a_while() throws Exception {
        SandboxSettings shortLived = SandboxSettings.standard().withWarm(1, 8, Duration.ofMillis(300));
        try (BubblewrapSandbox sandbox = fixture.sandbox(shortLived)) {
            sandbox.prepare(fixture.workspace);
            Waiting.until(() -> sandbox.preparedCount(fixture.workspace) == 1);
            Waiting.until(() -> sandbox.preparedCount(fixture.workspace) == 0);
            Waiting.until(() ->
                    SandboxFixture.processesMarked(fixture.workspace.toString()).isEmpty());
        }
    }

    @Test
    void commands_in_one_workspace_run_one_at_a_time_if_configured() throws Exception {
        try (BubblewrapSandbox sandbox =
                fixture.sandbox(SandboxSettings.standard().with(WorkspaceSharing.ONE_AT_A_TIME))) {
            // Each would see the other's file if both ran at the same time.
            String command = "[ -e busy ] && echo together; : > busy; sleep 0.05; rm busy";
            List<CompletableFuture<String>> outputs = IntStream.range(0, 5)
                    .mapToObj(_ -> inBackground(
                            () -> fixture.confined(sandbox, command).out()))
                    .toList();

            for (CompletableFuture<String> output : outputs) {
                assertThat(output.get()).isEmpty();
            }
        }
    }

    @Test
    void commands_in_different_workspaces_run_at_the_same_time() throws Exception {
        try (BubblewrapSandbox sandbox = fixture.sandbox(SandboxSettings.standard())) {
            Path other = lane("other");
            try (RunningCommand first = sandbox.start(fixture.request("sleep 30"))) {
                assertThat(SandboxFixture.run(
                                        sandbox,
                                        CommandRequest.inWholeWorkspace("echo ran", other, other, Map.of(), List.of()))
                                .out())
                        .isEqualTo("ran\n");
                assertThat(first.waitFor(Duration.ofMillis(1))).isEmpty();
            }
        }
    }

    @Test
    void a_waiting_command_can_be_interrupted() throws Exception {
        try (BubblewrapSandbox sandbox =
                fixture.sandbox(SandboxSettings.standard().with(WorkspaceSharing.ONE_AT_A_TIME))) {
            RunningCommand first = sandbox.start(fixture.request("sleep 30"));
            CompletableFuture<Throwable> outcome = new CompletableFuture<>();
            Thread second = Thread.ofVirtual().start(() -> {
                try {
                    sandbox.start(fixture.request("touch ran")).close();
                    outcome.complete(new AssertionError("It ran"));
                } catch (Throwable thrown) {
                    outcome.complete(thrown);
                }
            });
            Waiting.until(() -> second.getState() == Thread.State.WAITING);

            second.interrupt();

            assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
            first.close();
            assertThat(fixture.confined(sandbox, "ls").out()).isEmpty();
        }
    }

    private Path lane(String name) throws Exception {
        return fixture.folder(fixture.workspace.resolveSibling(name));
    }

    private interface Work {
        String run() throws Exception;
    }

    private static CompletableFuture<String> inBackground(Work work) {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(work.run());
            } catch (Exception failed) {
                result.completeExceptionally(new ExecutionException(failed));
            }
        });
        return result;
    }
}
