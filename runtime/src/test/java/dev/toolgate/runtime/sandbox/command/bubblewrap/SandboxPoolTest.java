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

/** Sandboxes started ahead. */
class SandboxPoolTest extends WithGround {

    @Test
    void a_command_uses_a_sandbox_that_was_started_before_it() throws Exception {
        try (BubblewrapSandbox sandbox = ground.sandbox(SandboxSettings.standard())) {
            sandbox.prepare(ground.workspace);
            Waiting.until(() -> sandbox.waiting(ground.workspace) == 2);

            try (RunningCommand running = sandbox.start(ground.request("sleep 30"))) {
                assertThat(sandbox.waiting(ground.workspace)).isEqualTo(1);
                assertThat(running.waitFor(Duration.ofMillis(1))).isEmpty();
            }
            Waiting.until(() -> sandbox.waiting(ground.workspace) == 2);
        }
    }

    @Test
    void no_sandbox_is_used_twice() throws Exception {
        try (BubblewrapSandbox sandbox = ground.sandbox(SandboxSettings.standard())) {
            for (int i = 0; i < 6; i++) {
                assertThat(ground.confined(sandbox, "cat /tmp/left ~/left 2>/dev/null; echo x | tee /tmp/left > ~/left")
                                .out())
                        .isEmpty();
            }
        }
    }

    @Test
    void a_sandbox_is_thrown_away_when_the_repository_was_replaced() throws Exception {
        ground.file(ground.workspace.resolve(".git/config"), "old");
        try (BubblewrapSandbox sandbox = ground.sandbox(SandboxSettings.standard())) {
            sandbox.prepare(ground.workspace);
            Waiting.until(() -> sandbox.waiting(ground.workspace) == 2);
            Path config = ground.workspace.resolve(".git/config");
            Files.delete(config);
            ground.file(config, "new");

            assertThat(ground.confined(sandbox, "cat .git/config; echo owned > .git/config")
                            .out())
                    .isEqualTo("new");
            assertThat(config).hasContent("new");
        }
    }

    @Test
    void closing_while_sandboxes_are_being_started_leaves_none_behind() throws Exception {
        for (int i = 0; i < 15; i++) {
            try (BubblewrapSandbox sandbox = ground.sandbox(SandboxSettings.standard())) {
                sandbox.prepare(ground.workspace);
                Waiting.until(() ->
                        !Ground.processesMarked(ground.workspace.toString()).isEmpty());
            }
        }
        Waiting.until(() -> Ground.processesMarked(ground.workspace.toString()).isEmpty());
    }

    @Test
    void only_the_workspaces_used_last_have_sandboxes_waiting() throws Exception {
        try (BubblewrapSandbox sandbox =
                ground.sandbox(SandboxSettings.standard().withWarm(1, 2))) {
            List<Path> workspaces = List.of(lane("a"), lane("b"), lane("c"));
            for (Path workspace : workspaces) {
                sandbox.prepare(workspace);
                Waiting.until(() -> sandbox.waiting(workspace) == 1);
            }

            assertThat(workspaces.stream().map(sandbox::waiting)).containsExactly(0, 1, 1);
        }
    }

    @Test
    void unused_sandboxes_are_closed_after_a_while() throws Exception {
        SandboxSettings impatient = SandboxSettings.standard().withWarm(1, 8, Duration.ofMillis(300));
        try (BubblewrapSandbox sandbox = ground.sandbox(impatient)) {
            sandbox.prepare(ground.workspace);
            Waiting.until(() -> sandbox.waiting(ground.workspace) == 1);
            Waiting.until(() -> sandbox.waiting(ground.workspace) == 0);
            Waiting.until(
                    () -> Ground.processesMarked(ground.workspace.toString()).isEmpty());
        }
    }

    @Test
    void commands_in_one_workspace_run_one_after_the_other_where_that_is_set() throws Exception {
        try (BubblewrapSandbox sandbox =
                ground.sandbox(SandboxSettings.standard().with(WorkspaceSharing.ONE_AT_A_TIME))) {
            // Each would see the other's file if both ran at the same time.
            String command = "[ -e busy ] && echo together; : > busy; sleep 0.05; rm busy";
            List<CompletableFuture<String>> outputs = IntStream.range(0, 5)
                    .mapToObj(_ ->
                            inBackground(() -> ground.confined(sandbox, command).out()))
                    .toList();

            for (CompletableFuture<String> output : outputs) {
                assertThat(output.get()).isEmpty();
            }
        }
    }

    @Test
    void commands_in_different_workspaces_run_at_the_same_time() throws Exception {
        try (BubblewrapSandbox sandbox = ground.sandbox(SandboxSettings.standard())) {
            Path other = lane("other");
            try (RunningCommand first = sandbox.start(ground.request("sleep 30"))) {
                assertThat(Ground.run(sandbox, new CommandRequest("echo ran", other, other, Map.of(), List.of()))
                                .out())
                        .isEqualTo("ran\n");
                assertThat(first.waitFor(Duration.ofMillis(1))).isEmpty();
            }
        }
    }

    @Test
    void a_waiting_command_can_be_interrupted() throws Exception {
        try (BubblewrapSandbox sandbox =
                ground.sandbox(SandboxSettings.standard().with(WorkspaceSharing.ONE_AT_A_TIME))) {
            RunningCommand first = sandbox.start(ground.request("sleep 30"));
            CompletableFuture<Throwable> outcome = new CompletableFuture<>();
            Thread second = Thread.ofVirtual().start(() -> {
                try {
                    sandbox.start(ground.request("touch ran")).close();
                    outcome.complete(new AssertionError("It ran"));
                } catch (Throwable thrown) {
                    outcome.complete(thrown);
                }
            });
            Waiting.until(() -> second.getState() == Thread.State.WAITING);

            second.interrupt();

            assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
            first.close();
            assertThat(ground.confined(sandbox, "ls").out()).isEmpty();
        }
    }

    private Path lane(String name) throws Exception {
        return ground.folder(ground.workspace.resolveSibling(name));
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
