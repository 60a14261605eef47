package dev.toolgate.runtime.sandbox.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LazySandboxTest {
    private static final CommandRequest COMMAND =
            CommandRequest.inWholeWorkspace("true", Path.of("/"), Path.of("/"), Map.of(), List.of());

    @TempDir
    private Path folder;

    private final AtomicInteger tests = new AtomicInteger();
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private volatile Confinement.Level level = Confinement.Level.UNAVAILABLE;

    @Test
    void a_call_that_is_stopped_during_the_test_of_the_sandbox_does_not_decide_for_later_ones() throws Exception {
        CountDownLatch tested = new CountDownLatch(1);
        LazySandbox sandbox = new LazySandbox(() -> {
            tests.incrementAndGet();
            boolean interrupted = false;
            try {
                tested.await();
            } catch (InterruptedException stopped) {
                interrupted = true;
            }
            return new RefusingSandbox(interrupted ? "interrupted" : "tested to the end");
        });
        Thread stopped = Thread.ofVirtual().unstarted(() -> assertThatThrownBy(() -> sandbox.start(COMMAND))
                .isInstanceOf(InterruptedException.class));
        stopped.start();
        Awaitility.await().until(() -> tests.get() == 1);
        stopped.interrupt();
        assertThat(stopped.join(Duration.ofSeconds(10))).isTrue();
        tested.countDown();

        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessageContaining("tested to the end");
        assertThat(tests).hasValue(1);
    }

    @Test
    void an_interrupt_while_the_real_sandbox_is_tested_does_not_lead_to_weaker_confinement() throws Exception {
        Path workspace = Files.createDirectories(folder.resolve("workspace")).toRealPath();
        for (Path each : List.of(folder, workspace)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
        RuntimeSettings settings =
                RuntimeSettings.of(workspace, folder.resolve("state")).with(SandboxMode.DEGRADED);
        try (OpenWorkspace open = OpenWorkspace.open(settings.workspaceSettings(AddressPolicy.publicOnly()))) {
            CommandRequest request = CommandRequest.inWholeWorkspace("true", workspace, workspace, Map.of(), List.of());
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> open.sandbox().start(request)).isInstanceOf(InterruptedException.class);

            assertThat(open.sandbox().confinement().level()).isEqualTo(Confinement.Level.CONFINED);
        }
    }

    /** A sandbox whose test had this result; a command in it is reported as started by an exception. */
    private final class Selected implements CommandSandbox {
        private final Confinement confinement;

        Selected(Confinement.Level level, String detail) {
            this.confinement = new Confinement(level, "here", detail);
        }

        @Override
        public RunningCommand start(CommandRequest request) {
            throw new IllegalStateException("started: " + confinement.detail());
        }

        @Override
        public Confinement confinement() {
            return confinement;
        }

        @Override
        public void close() {
            closed.add(confinement.detail());
        }
    }

    private CommandSandbox next() {
        int number = tests.incrementAndGet();
        return new Selected(level, "test " + number);
    }

    @Test
    void a_failed_test_is_repeated_after_a_wait_and_a_passed_one_is_kept() {
        LazySandbox sandbox = new LazySandbox(this::next, () -> now);
        for (int second = 0; second < 5; second++) {
            assertThatThrownBy(() -> sandbox.start(COMMAND))
                    .isInstanceOf(ToolFailure.class)
                    .hasMessage("The command was not run: test 1; the sandbox is tested again by the first command"
                            + " from 2026-01-01T00:00:05Z on");
            assertThat(sandbox.confinement().level()).isEqualTo(Confinement.Level.UNAVAILABLE);
            now = now.plusSeconds(1);
        }

        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessageContaining("not run: test 2; the sandbox");
        now = now.plusSeconds(9);
        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessageContaining("not run: test 2; the sandbox");
        level = Confinement.Level.CONFINED;
        now = now.plusSeconds(1);

        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessage("started: test 3");
        level = Confinement.Level.UNAVAILABLE;
        now = now.plus(Duration.ofDays(1));
        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessage("started: test 3");
        sandbox.close();
        assertThat(closed).contains("test 3");
    }

    @Test
    void the_wait_for_the_next_test_is_bounded() {
        LazySandbox sandbox = new LazySandbox(this::next, () -> now);
        for (int number = 1; number <= 100; number++) {
            assertThat(sandbox.confinement().detail()).startsWith("test " + number + ";");
            now = now.plus(LazySandbox.MAX_WAIT);
        }
    }

    @Test
    void a_weaker_sandbox_is_replaced_as_soon_as_a_test_passes() {
        level = Confinement.Level.DEGRADED;
        LazySandbox sandbox = new LazySandbox(this::next, () -> now);
        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessage("started: test 1");
        now = now.plus(LazySandbox.FIRST_WAIT);
        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessage("started: test 1");
        Awaitility.await().until(() -> closed.contains("test 2"));

        level = Confinement.Level.UNAVAILABLE;
        now = now.plus(LazySandbox.MAX_WAIT);
        Awaitility.await().until(() -> {
            assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessage("started: test 1");
            return closed.contains("test 3");
        });

        level = Confinement.Level.CONFINED;
        now = now.plus(LazySandbox.MAX_WAIT);
        Awaitility.await().untilAsserted(() -> assertThatThrownBy(() -> sandbox.start(COMMAND))
                .hasMessage("started: test 4"));
        assertThat(closed).as("commands may be running in it").doesNotContain("test 1");
        sandbox.close();
        assertThat(closed).containsExactlyInAnyOrder("test 1", "test 2", "test 3", "test 4");
    }

    @Test
    void a_selection_that_failed_unexpectedly_is_made_again_for_the_next_command() {
        AtomicInteger selections = new AtomicInteger();
        LazySandbox sandbox = new LazySandbox(() -> {
            if (selections.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
            }
            return new RefusingSandbox("the second time");
        });

        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessage("once");
        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessageContaining("the second time");
        sandbox.close();
        assertThatThrownBy(() -> sandbox.start(COMMAND)).hasMessageContaining("closed");
    }
}
