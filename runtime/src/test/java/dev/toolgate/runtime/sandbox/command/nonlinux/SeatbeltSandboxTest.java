package dev.toolgate.runtime.sandbox.command.nonlinux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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

/** Checks the command lines on macOS; the parts that any Unix has are run for real. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class SeatbeltSandboxTest {
    private static final Platform MAC = Platform.of("Mac OS X", Path.of("/Users/me"), Map.of("SHELL", "/bin/sh"));

    @TempDir
    Path workspace;

    private final List<List<String>> started = new ArrayList<>();

    @Test
    void the_profile_denies_by_default_and_has_no_user_folder() {
        assertThat(SeatbeltProfile.TEXT.lines().limit(2)).containsExactly("(version 1)", "(deny default)");
        assertThat(SeatbeltProfile.TEXT).doesNotContain("network", "/Users", "allow default", "iokit");
        assertThat(SeatbeltProfile.TEXT.chars().filter(c -> c == '(').count())
                .isEqualTo(SeatbeltProfile.TEXT.chars().filter(c -> c == ')').count());
    }

    @Test
    void the_profile_denies_dot_env_after_allowing_the_workspace() {
        int allowed = SeatbeltProfile.TEXT.indexOf("(subpath (param \"WORKSPACE\"))");
        assertThat(allowed).isPositive();
        assertThat(SeatbeltProfile.TEXT.indexOf("/.env")).isGreaterThan(allowed);
        assertThat(SeatbeltProfile.TEXT.indexOf("/.git/hooks")).isGreaterThan(allowed);
    }

    @Test
    void an_unusual_folder_name_stays_a_parameter() {
        Path strange = Path.of("/projects/\")(allow default)(\"");
        List<String> line = SeatbeltProfile.arguments(strange, Path.of("/tmp/t"), List.of("/bin/sh", "-c", "true"));
        assertThat(line)
                .containsExactly(
                        "/usr/bin/sandbox-exec",
                        "-D",
                        "WORKSPACE=" + strange,
                        "-D",
                        "TEMPORARY=/tmp/t",
                        "-p",
                        SeatbeltProfile.TEXT,
                        "/bin/sh",
                        "-c",
                        "true");
    }

    @Test
    void ends_the_whole_group_of_a_command() throws Exception {
        SeatbeltSandbox sandbox = new SeatbeltSandbox(MAC, this::withoutSandboxExec);
        RunningCommand command = sandbox.start(request(
                "sh -c \"trap '' TERM; echo \\$\\$; exec sleep 600\" & (sleep 600 & echo $!); wait", List.of()));
        var reader = new BufferedReader(new InputStreamReader(command.stdout(), StandardCharsets.UTF_8));
        List<String> pids = List.of(reader.readLine(), reader.readLine());
        command.terminate(Duration.ofMillis(20));
        await().until(() -> pids.stream().noneMatch(SeatbeltSandboxTest::isAlive));
        assertThat(command.waitFor(Duration.ofSeconds(30))).isPresent();
        command.close();
        sandbox.close();
        assertThat(started.getFirst()).startsWith("/usr/bin/perl").contains(SeatbeltProfile.PROGRAM);
    }

    @Test
    void removes_the_temporary_folder_with_the_command() throws Exception {
        SeatbeltSandbox sandbox = new SeatbeltSandbox(MAC, this::withoutSandboxExec);
        RunningCommand command = sandbox.start(request("echo $TMPDIR; echo text > $TMPDIR/file", List.of()));
        assertThat(command.waitFor(Duration.ofSeconds(30))).hasValue(0);
        Path folder = Path.of(new String(command.stdout().readAllBytes(), StandardCharsets.UTF_8).strip());
        assertThat(folder.resolve("file")).hasContent("text");
        command.close();
        assertThat(folder).doesNotExist();
        assertThat(started.getFirst()).contains("TEMPORARY=" + folder);
    }

    @Test
    void the_check_detects_missing_confinement() {
        SeatbeltSandbox sandbox = new SeatbeltSandbox(MAC, this::withoutSandboxExec);
        assertThatThrownBy(() -> new SeatbeltCheck(sandbox).run())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not confine");
    }

    @Test
    void the_check_detects_that_commands_do_not_run() {
        SeatbeltSandbox sandbox = new SeatbeltSandbox(
                MAC, (_, environment, cwd) -> CommandLauncher.withProcessBuilder(List.of("false"), environment, cwd));
        assertThatThrownBy(() -> new SeatbeltCheck(sandbox).run())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not run");
    }

    @Test
    void refuses_domains() {
        SeatbeltSandbox sandbox = new SeatbeltSandbox(MAC, this::withoutSandboxExec);
        assertThatThrownBy(() -> sandbox.start(request("true", List.of("example.org"))))
                .isInstanceOf(ToolFailure.class);
        assertThat(started).isEmpty();
    }

    private CommandRequest request(String command, List<String> domains) {
        return CommandRequest.inWholeWorkspace(command, workspace, workspace, Map.of("PATH", "/usr/bin:/bin"), domains);
    }

    /** Starts the command without sandbox-exec and its seven arguments. */
    private Process withoutSandboxExec(List<String> line, Map<String, String> environment, Path cwd)
            throws IOException {
        started.add(line);
        List<String> rest = new ArrayList<>(line);
        int sandbox = rest.indexOf(SeatbeltProfile.PROGRAM);
        if (sandbox >= 0) {
            rest.subList(sandbox, sandbox + 7).clear();
        }
        return CommandLauncher.withProcessBuilder(rest, environment, cwd);
    }

    private static boolean isAlive(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false);
    }
}
