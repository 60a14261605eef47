package dev.toolgate.runtime.sandbox.command.nonlinux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Checks the sequence of calls on Windows. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class JobObjectSandboxTest {
    private static final Platform WINDOWS = Platform.of("Windows 11", Path.of("C:\\Users\\me"), Map.of());
    private static final long JOB = 4711;

    @TempDir
    Path workspace;

    private final List<String> calls = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final JobObjectSandbox sandbox = new JobObjectSandbox(WINDOWS, this::start, new Recorded());

    @Test
    void puts_a_command_into_a_job_and_ends_it_through_the_job() throws Exception {
        RunningCommand command = sandbox.start(request());
        assertThat(calls).containsExactly("create", "start cmd.exe /c dir", "assign to 4711");
        command.terminate(Duration.ZERO);
        assertThat(calls)
                .contains(
                        "start taskkill.exe /T /F /PID " + processes.getFirst().pid(), "terminate 4711");
        assertThat(command.waitFor(Duration.ofSeconds(30))).isPresent();
        command.close();
        command.close();
        assertThat(calls).endsWith("close 4711").containsOnlyOnce("close 4711");
    }

    @Test
    void ends_a_command_that_cannot_be_assigned_to_a_job() {
        JobObjectSandbox failing = new JobObjectSandbox(WINDOWS, this::start, new Recorded() {
            @Override
            public void assign(long job, long pid) throws IOException {
                throw new IOException("AssignProcessToJobObject failed");
            }
        });
        assertThatThrownBy(() -> failing.start(request()))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("AssignProcessToJobObject");
        assertThat(calls).endsWith("close 4711");
        await().until(() -> !processes.getFirst().isAlive());
    }

    @Test
    void starts_nothing_without_a_job() {
        JobObjectSandbox failing = new JobObjectSandbox(WINDOWS, this::start, new Recorded() {
            @Override
            public long createEndingOnClose() throws IOException {
                throw new IOException("CreateJobObject failed");
            }
        });
        assertThatThrownBy(() -> failing.start(request())).isInstanceOf(ToolFailure.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void ends_every_command_when_it_is_closed() throws Exception {
        var _ = sandbox.start(request());
        sandbox.close();
        assertThat(processes.getFirst().isAlive()).isFalse();
        assertThat(calls).contains("terminate 4711", "close 4711");
    }

    @Test
    void never_claims_to_confine() {
        assertThat(sandbox.confinement().level()).isEqualTo(Confinement.Level.DEGRADED);
        assertThat(sandbox.confinement().detail()).startsWith("WARNING, DEGRADED");
    }

    private CommandRequest request() {
        return CommandRequest.inWholeWorkspace("dir", workspace, workspace, Map.of(), List.of());
    }

    /** A long-running process stands in for the command. */
    private Process start(List<String> line, Map<String, String> environment, Path cwd) throws IOException {
        calls.add("start " + String.join(" ", line));
        boolean command = line.getFirst().equals("cmd.exe");
        Process process = new ProcessBuilder(command ? "cat" : "true").start();
        processes.add(process);
        return process;
    }

    private class Recorded implements JobObjects {
        @Override
        public long createEndingOnClose() throws IOException {
            calls.add("create");
            return JOB;
        }

        @Override
        public void assign(long job, long pid) throws IOException {
            assertThat(pid).isEqualTo(processes.getFirst().pid());
            calls.add("assign to " + job);
        }

        @Override
        public void terminate(long job) {
            calls.add("terminate " + job);
        }

        @Override
        public void close(long job) {
            calls.add("close " + job);
        }
    }
}
