package dev.toolgate.runtime.sandbox.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    @Test
    void a_call_that_is_stopped_during_the_test_of_the_sandbox_does_not_decide_for_later_ones() throws Exception {
        CountDownLatch tested = new CountDownLatch(1);
        AtomicInteger tests = new AtomicInteger();
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
