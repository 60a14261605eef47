package dev.toolgate.runtime.sandbox.command.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.degraded.DegradedFixture.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(120)
class DegradedSandboxTest extends WithDegradedSandbox {

    @Test
    void runs_a_command_in_its_folder_and_returns_its_output() throws Exception {
        Files.createDirectory(fixture.workspace.resolve("sub"));
        CommandRequest request = fixture.request("pwd; echo $GREETING; cat; echo oops >&2; exit 3");
        try (RunningCommand command = fixture.sandbox.start(CommandRequest.inWholeWorkspace(
                request.command(),
                fixture.workspace,
                fixture.workspace.resolve("sub"),
                request.environment(),
                List.of()))) {
            command.stdin().write("typed\n".getBytes(StandardCharsets.UTF_8));
            command.stdin().close();
            assertThat(command.waitFor(Duration.ofMinutes(1))).hasValue(3);
            assertThat(new String(command.stdout().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(fixture.workspace.resolve("sub") + "\nhello\ntyped\n");
            assertThat(new String(command.stderr().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("oops\n");
        }
    }

    @Test
    void lets_a_command_work_in_its_workspace() throws Exception {
        Result result = fixture.run("mkdir -p a/b && echo one > a/b/c && mv a/b/c d && ln -s d e && cat e && rm -r a"
                + " && echo two > $TMPDIR/t && cp $TMPDIR/t f && truncate -s 2 f");
        assertThat(result.err()).isEmpty();
        assertThat(result.exit()).isZero();
        assertThat(fixture.workspace.resolve("d")).hasContent("one");
        assertThat(fixture.workspace.resolve("f")).hasContent("tw");
    }

    @Test
    void never_runs_a_command_as_root() throws Exception {
        assertThat(fixture.run("id -u; id -g; id -G").out().lines()).doesNotContain("0");
        assumeTrue(DegradedFixture.ROOT);
        try (DegradedSandbox careless = new DegradedSandbox(_ -> new Account("root", 0, 0))) {
            assertThatThrownBy(() -> careless.start(fixture.request("touch ran")))
                    .isInstanceOf(ToolFailure.class)
                    .hasMessageContaining("never run as root");
        }
        assertThat(fixture.workspace.resolve("ran")).doesNotExist();
    }

    @Test
    void sets_exactly_the_given_environment() throws Exception {
        assertThat(fixture.run("env").out().lines().map(line -> line.substring(0, line.indexOf('='))))
                .containsExactlyInAnyOrder("PATH", "GREETING", "HOME", "TMPDIR", "PWD");
    }

    @Test
    void removes_the_temporary_folder_with_the_command() throws Exception {
        String temporary = fixture.run("mkdir $TMPDIR/x && ln -s / $TMPDIR/x/root && echo $TMPDIR")
                .out()
                .strip();
        assertThat(Path.of(temporary)).doesNotExist();
        assertThat(Path.of("/usr")).isNotEmptyDirectory();
    }

    @Test
    void an_end_by_signal_is_exit_code_128_plus_signal() throws Exception {
        assertThat(fixture.run("kill -9 $$").exit()).isEqualTo(137);
    }

    @Test
    void refuses_domains_it_cannot_enforce() {
        CommandRequest request = CommandRequest.inWholeWorkspace(
                "touch ran", fixture.workspace, fixture.workspace, Map.of(), List.of("example.org"));
        assertThatThrownBy(() -> fixture.sandbox.start(request))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("install bubblewrap");
        assertThat(fixture.workspace.resolve("ran")).doesNotExist();
    }

    @Test
    void starts_nothing_and_cleans_up_if_a_step_fails() {
        long before = ProcessHandle.current().children().count();
        Path missing = fixture.workspace.resolve("missing");
        assertThatThrownBy(() -> fixture.sandbox.start(CommandRequest.inWholeWorkspace(
                        "touch " + fixture.outside + "/ran", missing, missing, Map.of(), List.of())))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("was not started");
        assertThat(fixture.outside).isEmptyDirectory();
        assertThat(ProcessHandle.current().children().count()).isEqualTo(before);
    }

    @Test
    void refuses_a_command_with_a_nul_character() {
        assertThatThrownBy(() -> fixture.start("touch ran\0 --but-not-this"))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("NUL");
        assertThat(fixture.workspace.resolve("ran")).doesNotExist();
    }

    @Test
    void leaves_no_thread_of_the_server_confined() throws Exception {
        assertThat(fixture.run("true").exit()).isZero();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                if (Files.exists(task.resolve("status"))) {
                    assertThat(Files.readString(task.resolve("status"))).contains("NoNewPrivs:\t0", "Seccomp:\t0");
                }
            }
        }
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).isNotEmpty();
    }

    @Test
    void warns_about_what_it_does_not_prevent() {
        Confinement here = fixture.sandbox.confinement();
        assertThat(here.level()).isEqualTo(Confinement.Level.DEGRADED);
        assertThat(here.detail()).startsWith("WARNING, DEGRADED").contains("install bubblewrap");
        assertThat(DegradedConfinement.of(0).mechanism()).isEqualTo("seccomp only");
        assertThat(DegradedConfinement.of(0).detail()).contains("no Landlock", "this server included");
        assertThat(DegradedConfinement.of(5).detail()).contains("signal processes of their account");
        assertThat(DegradedConfinement.of(6).detail()).doesNotContain("signal");
    }
}
