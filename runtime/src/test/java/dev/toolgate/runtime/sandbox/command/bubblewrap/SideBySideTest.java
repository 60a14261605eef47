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

/** Concurrent commands in one workspace, and attacks on each other's sandbox. */
class SideBySideTest extends WithSandboxFixture {
    private static final String SECRET = "planted-outside";

    /** Replaces a folder that contains a secret by a link to the outside, in a fast loop. */
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
        try (BubblewrapSandbox sandbox = fixture.sandbox(SandboxSettings.standard());
                BubblewrapSandbox otherServers = fixture.sandbox(SandboxSettings.standard());
                RunningCommand first = sandbox.start(fixture.request("read line; touch over"))) {
            assertThat(fixture.confined(sandbox, "echo second").out()).isEqualTo("second\n");
            assertThat(fixture.confined(otherServers, "echo third").out()).isEqualTo("third\n");
            assertThat(first.waitFor(Duration.ofMillis(1))).isEmpty();
            assertThat(fixture.workspace.resolve("over")).doesNotExist();
        }
    }

    @Test
    void secrets_and_repository_stay_protected_while_another_runs() throws Exception {
        fixture.file(fixture.workspace.resolve(".env"), SECRET);
        fixture.file(fixture.workspace.resolve("a/b/server.key"), SECRET);
        Path hook = fixture.file(fixture.workspace.resolve(".git/hooks/pre-commit"), "untouched");
        try (BubblewrapSandbox sandbox =
                        fixture.sandbox(SandboxSettings.standard().withWarm(0, 0));
                RunningCommand _ = sandbox.start(fixture.request("read line"))) {
            assertThat(fixture.confined(
                                    sandbox,
                                    "cat .env a/b/server.key; mv a c; cat c/b/server.key; echo bad >"
                                            + " .git/hooks/pre-commit; mv .git x")
                            .out())
                    .isEmpty();
        }
        assertThat(hook).hasContent("untouched");
    }

    @Test
    void a_racing_command_cannot_redirect_another_sandbox() throws Exception {
        fixture.file(fixture.outside.resolve("deep/victim"), SECRET);
        fixture.file(fixture.outside.resolve("deep/.env"), SECRET);
        try (BubblewrapSandbox sandbox =
                        fixture.sandbox(SandboxSettings.standard().withWarm(0, 0));
                RunningCommand _ = sandbox.start(fixture.request(racer(fixture.outside)))) {
            Waiting.until(() -> Files.exists(fixture.workspace.resolve("racing")));
            WorkspaceView part = new WorkspaceView(List.of("new"), List.of(), null, Map.of(), null);
            String look = "cat new/deep/victim aside/deep/victim link/deep/victim */deep/* 2>/dev/null; true";
            for (int i = 0; i < 60; i++) {
                try {
                    CommandRequest request = i % 2 == 0
                            ? fixture.request(look)
                            : new CommandRequest(look, fixture.workspace, fixture.workspace, Map.of(), List.of(), part);
                    assertThat(SandboxFixture.run(sandbox, request).out()).doesNotContain(SECRET);
                } catch (ToolFailure refused) {
                    assertThat(refused).hasMessageMatching("(?s).*(changed|symbolic link|does not exist|set up).*");
                }
            }
            Files.createFile(fixture.workspace.resolve("stop"));
        }
        assertThat(fixture.outside.resolve("deep/victim")).hasContent(SECRET);
    }

    @Test
    void an_exclusive_command_waits_for_shared_ones() throws Exception {
        try (BubblewrapSandbox sharing = fixture.sandbox(SandboxSettings.standard());
                BubblewrapSandbox alone =
                        fixture.sandbox(SandboxSettings.standard().with(WorkspaceSharing.ONE_AT_A_TIME))) {
            RunningCommand first = sharing.start(fixture.request("read line"));
            Thread waiting = Thread.ofVirtual().start(() -> {
                try {
                    fixture.confined(alone, "touch ran");
                } catch (ToolFailure | InterruptedException failed) {
                    throw new AssertionError(failed);
                }
            });
            Waiting.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            assertThat(fixture.workspace.resolve("ran")).doesNotExist();
            first.close();
            waiting.join();
            assertThat(fixture.workspace.resolve("ran")).exists();
        }
    }
}
