package dev.toolgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoppedCallTest {
    // Unique to this run, so that a concurrent run on the same machine is not found instead.
    private static final String WORK = "sleep 9" + ProcessHandle.current().pid();

    @TempDir
    private Path workspace;

    @TempDir
    private Path home;

    @Test
    void stopping_the_program_stops_its_command_and_exits_at_once() throws Exception {
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxr-xr-x"));
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
        Process program = start();
        try {
            await().atMost(Duration.ofMinutes(1)).until(StoppedCallTest::isWorking);

            program.destroy();

            // Well below the 30 seconds that the program waits for a call that does not end.
            assertThat(program.waitFor(20, TimeUnit.SECONDS)).isTrue();
            await().until(() -> !isWorking());
        } finally {
            program.destroyForcibly();
        }
    }

    private Process start() throws IOException {
        ProcessBuilder program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "call",
                        "-w",
                        workspace.toString(),
                        "bash",
                        "command=" + WORK + "; true")
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("output").toFile());
        program.environment().put("TOOLGATE_HOME", home.toString());
        return program.start();
    }

    private static boolean isWorking() {
        return ProcessHandle.allProcesses().anyMatch(process -> process.info()
                .commandLine()
                .filter(line -> line.endsWith(WORK))
                .isPresent());
    }
}
