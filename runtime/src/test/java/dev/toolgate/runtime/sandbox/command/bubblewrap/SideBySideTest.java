package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import dev.toolgate.runtime.sandbox.command.WorkspaceView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commands that run in one workspace at the same time, and what one can do to the sandbox of another. */
class SideBySideTest extends WithGround {
    private static final String SECRET = "planted-outside";

    /** Swaps a folder with a secret name in it for a link that leads outside, as fast as it can. */
    private static String racer(Path outside) {
        return """
                    exec python3 - <<'END'
                    import os
                    os.makedirs('new/deep', exist_ok=True)
                    open('new/deep/.env', 'w').close()
                    os.symlink('%s', 'link')
                    open('racing', 'w').close()
                    while not os.path.exists('stop'):
                        os.rename('new', 'aside')
                        os.rename('link', 'new')
                        os.rename('new', 'link')
                        os.rename('aside', 'new')
                    END
                    """.formatted(outside);
    }

    @Test
    void two_commands_run_at_the_same_time_in_one_workspace() throws Exception {
        try (BubblewrapSandbox sandbox = ground.sandbox(SandboxSettings.standard());
                BubblewrapSandbox otherServers = ground.sandbox(SandboxSettings.standard());
                RunningCommand first = sandbox.start(ground.request("read line; touch over"))) {
            assertThat(ground.confined(sandbox, "echo second").out()).isEqualTo("second\n");
            assertThat(ground.confined(otherServers, "echo third").out()).isEqualTo("third\n");
            assertThat(first.waitFor(Duration.ofMillis(1))).isEmpty();
            assertThat(ground.workspace.resolve("over")).doesNotExist();
        }
    }

    @Test
    void secrets_and_the_repository_stay_covered_beside_another_command() throws Exception {
        ground.file(ground.workspace.resolve(".env"), SECRET);
        ground.file(ground.workspace.resolve("a/b/server.key"), SECRET);
        Path hook = ground.file(ground.workspace.resolve(".git/hooks/pre-commit"), "untouched");
        try (BubblewrapSandbox sandbox =
                        ground.sandbox(SandboxSettings.standard().withWarm(0, 0));
                RunningCommand _ = sandbox.start(ground.request("read line"))) {
            assertThat(ground.confined(
                                    sandbox,
                                    "cat .env a/b/server.key; mv a c; cat c/b/server.key; echo bad >"
                                            + " .git/hooks/pre-commit; mv .git x")
                            .out())
                    .isEmpty();
        }
        assertThat(hook).hasContent("untouched");
    }

    @Test
    void a_racing_command_leads_no_other_sandbox_outside() throws Exception {
        ground.file(ground.outside.resolve("deep/victim"), SECRET);
        ground.file(ground.outside.resolve("deep/.env"), SECRET);
        try (BubblewrapSandbox sandbox =
                        ground.sandbox(SandboxSettings.standard().withWarm(0, 0));
                RunningCommand _ = sandbox.start(ground.request(racer(ground.outside)))) {
            Waiting.until(() -> Files.exists(ground.workspace.resolve("racing")));
            WorkspaceView part = new WorkspaceView(List.of("new"), List.of(), null, Map.of(), null);
            String look = "cat new/deep/victim aside/deep/victim link/deep/victim */deep/* 2>/dev/null; true";
            for (int i = 0; i < 60; i++) {
                try {
                    CommandRequest request = i % 2 == 0
                            ? ground.request(look)
                            : new CommandRequest(look, ground.workspace, ground.workspace, Map.of(), List.of(), part);
                    assertThat(Ground.run(sandbox, request).out()).doesNotContain(SECRET);
                } catch (ToolFailure refused) {
                    assertThat(refused).hasMessageMatching("(?s).*(changed|symbolic link|does not exist|set up).*");
                }
            }
            Files.createFile(ground.workspace.resolve("stop"));
        }
        assertThat(ground.outside.resolve("deep/victim")).hasContent(SECRET);
    }

    @Test
    void a_command_that_wants_the_workspace_alone_waits_for_those_that_share_it() throws Exception {
        try (BubblewrapSandbox sharing = ground.sandbox(SandboxSettings.standard());
                BubblewrapSandbox alone =
                        ground.sandbox(SandboxSettings.standard().with(WorkspaceSharing.ONE_AT_A_TIME))) {
            RunningCommand first = sharing.start(ground.request("read line"));
            Thread waiting = Thread.ofVirtual().start(() -> {
                try {
                    ground.confined(alone, "touch ran");
                } catch (ToolFailure | InterruptedException failed) {
                    throw new AssertionError(failed);
                }
            });
            Waiting.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            assertThat(ground.workspace.resolve("ran")).doesNotExist();
            first.close();
            waiting.join();
            assertThat(ground.workspace.resolve("ran")).exists();
        }
    }
}
