package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.Check;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ordinary commands in the sandbox. */
class BubblewrapSandboxTest extends WithSandboxFixture {
    private BubblewrapSandbox sandbox;

    @BeforeEach
    void open() throws Exception {
        sandbox = fixture.sandbox(SandboxSettings.standard());
    }

    @AfterEach
    void close() throws Exception {
        sandbox.close();
    }

    @Test
    void reports_confinement_after_the_self_test() {
        assertThat(sandbox.confinement().level())
                .as(sandbox.confinement().detail())
                .isEqualTo(Confinement.Level.CONFINED);
    }

    @Test
    void all_doctor_checks_pass() {
        assertThat(SandboxDoctor.examine(fixture.account, SandboxSettings.standard()))
                .allMatch(Check::ok)
                .hasSizeGreaterThan(10);
    }

    @Test
    void passes_on_output_errors_and_exit_code() throws Exception {
        SandboxFixture.Result result = fixture.confined(sandbox, "echo out; echo err >&2; exit 42");

        assertThat(result.exit()).isEqualTo(42);
        assertThat(result.out()).isEqualTo("out\n");
        assertThat(result.err()).isEqualTo("err\n");
        assertThat(result.endReason()).isEmpty();
    }

    @Test
    void hands_the_rest_of_standard_input_to_the_command() throws Exception {
        try (RunningCommand cat = sandbox.start(fixture.request("cat"))) {
            cat.stdin().write("one\ntwo".getBytes(StandardCharsets.UTF_8));
            cat.stdin().close();

            assertThat(cat.waitFor(Duration.ofSeconds(20))).hasValue(0);
            assertThat(cat.stdout().readAllBytes())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("one\ntwo");
        }
    }

    @Test
    void writes_files_in_the_workspace_as_the_account() throws Exception {
        fixture.confined(sandbox, "echo new > made.txt");

        Path made = fixture.workspace.resolve("made.txt");
        assertThat(made).hasContent("new");
        assertThat(Files.getAttribute(made, "unix:uid")).isEqualTo(fixture.account.uid());
    }

    @Test
    void sets_exactly_the_given_environment() throws Exception {
        String everything =
                IntStream.range(0x20, 0x900).mapToObj(Character::toString).collect(Collectors.joining());
        String value = "it's\n\"two\" lines $HOME `x` \\ " + everything + " 漢字 😀\n";
        CommandRequest request = CommandRequest.inWholeWorkspace(
                "printf %s \"$GIVEN\" > value; env | cut -d= -f1 | sort | tr '\\n' ' ' > names",
                fixture.workspace,
                fixture.workspace,
                Map.of("GIVEN", value, "HOME", "/root", "PPID", "1", "not a name", "x"),
                List.of());

        SandboxFixture.Result result = SandboxFixture.run(sandbox, request);

        assertThat(result.err()).isEmpty();
        assertThat(fixture.workspace.resolve("value")).hasContent(value);
        assertThat(Files.readString(fixture.workspace.resolve("names")))
                .contains("GIVEN", "HOME", "PATH", "TMPDIR")
                .doesNotContain("JAVA", "not a name", "MAVEN", "header");
    }

    @Test
    void starts_in_the_given_folder() throws Exception {
        Path cwd = fixture.folder(fixture.workspace.resolve("a folder with 'quotes'"));

        SandboxFixture.Result result = SandboxFixture.run(
                sandbox, CommandRequest.inWholeWorkspace("pwd", fixture.workspace, cwd, Map.of(), List.of()));

        assertThat(result.out()).isEqualTo(cwd + "\n");
    }

    @Test
    void refuses_a_folder_outside_the_workspace() {
        assertThatThrownBy(() -> sandbox.start(CommandRequest.inWholeWorkspace(
                        "pwd", fixture.workspace, fixture.outside, Map.of(), List.of())))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("choose a folder in");
    }

    @Test
    void refuses_nul_and_commands_above_the_kernel_limit() {
        assertThatThrownBy(() -> sandbox.start(fixture.request("echo \0")))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("NUL");
        assertThatThrownBy(() -> sandbox.start(fixture.request("#" + "x".repeat(140_000))))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("longer than");
    }

    @Test
    void runs_a_command_of_the_maximum_length() throws Exception {
        assertThat(fixture.confined(sandbox, "echo ok #" + "\n".repeat(2_000) + "#".repeat(129_000))
                        .out())
                .isEqualTo("ok\n");
    }

    @Test
    void has_private_writable_folders_of_limited_size() throws Exception {
        try (BubblewrapSandbox small = fixture.sandbox(SandboxFixture.smallSettings())) {
            String tryAll = "for d in /tmp $HOME /dev/shm; do head -c 60000000 /dev/zero > $d/big 2>/dev/null"
                    + " && echo unbounded $d; rm -f $d/big; echo ok > $d/f && cat $d/f; done";

            assertThat(fixture.confined(small, tryAll).out()).isEqualTo("ok\nok\nok\n");
        }
    }

    @Test
    void never_runs_as_root() throws Exception {
        Account root = new Account("root", 0, 0);
        try (BubblewrapSandbox asRoot = BubblewrapSandbox.open(_ -> root, SandboxSettings.standard(), _ -> {
            throw new AssertionError();
        })) {
            assertThat(asRoot.confinement().level()).isEqualTo(Confinement.Level.UNAVAILABLE);
            assertThatThrownBy(() -> asRoot.start(fixture.request("touch made")))
                    .isInstanceOf(ToolFailure.class)
                    .hasMessageContaining("never run as root");
        }
        assertThat(fixture.workspace.resolve("made")).doesNotExist();
    }

    @Test
    void refuses_system_folders_as_workspace() {
        for (String folder : List.of("/", "/usr", "/etc", "/proc/self", "/tmp")) {
            Path path = Path.of(folder);
            assertThatThrownBy(
                            () -> sandbox.start(CommandRequest.inWholeWorkspace("ls", path, path, Map.of(), List.of())))
                    .as(folder)
                    .isInstanceOf(ToolFailure.class);
        }
    }

    @Test
    void starts_nothing_after_it_was_closed() {
        sandbox.close();

        assertThatThrownBy(() -> sandbox.start(fixture.request("touch made")))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("shut down");
        assertThat(fixture.workspace.resolve("made")).doesNotExist();
    }
}
