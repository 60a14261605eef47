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

/** What a command that behaves can do. */
class BubblewrapSandboxTest extends WithGround {
    private BubblewrapSandbox sandbox;

    @BeforeEach
    void open() throws Exception {
        sandbox = ground.sandbox(SandboxSettings.standard());
    }

    @AfterEach
    void close() throws Exception {
        sandbox.close();
    }

    @Test
    void says_that_it_confines_after_attacking_itself() {
        assertThat(sandbox.confinement().level())
                .as(sandbox.confinement().detail())
                .isEqualTo(Confinement.Level.CONFINED);
    }

    @Test
    void doctor_finds_everything_in_order() {
        assertThat(SandboxDoctor.examine(ground.account, SandboxSettings.standard()))
                .allMatch(Check::ok)
                .hasSizeGreaterThan(10);
    }

    @Test
    void passes_on_output_errors_and_exit_code() throws Exception {
        Ground.Result result = ground.confined(sandbox, "echo out; echo err >&2; exit 42");

        assertThat(result.exit()).isEqualTo(42);
        assertThat(result.out()).isEqualTo("out\n");
        assertThat(result.err()).isEqualTo("err\n");
        assertThat(result.endedBecause()).isEmpty();
    }

    @Test
    void hands_the_rest_of_standard_input_to_the_command() throws Exception {
        try (RunningCommand cat = sandbox.start(ground.request("cat"))) {
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
        ground.confined(sandbox, "echo new > made.txt");

        Path made = ground.workspace.resolve("made.txt");
        assertThat(made).hasContent("new");
        assertThat(Files.getAttribute(made, "unix:uid")).isEqualTo(ground.account.uid());
    }

    @Test
    void sets_the_environment_it_was_given_and_no_other() throws Exception {
        String everything =
                IntStream.range(0x20, 0x900).mapToObj(Character::toString).collect(Collectors.joining());
        String value = "it's\n\"two\" lines $HOME `x` \\ " + everything + " 漢字 😀\n";
        CommandRequest request = new CommandRequest(
                "printf %s \"$GIVEN\" > value; env | cut -d= -f1 | sort | tr '\\n' ' ' > names",
                ground.workspace,
                ground.workspace,
                Map.of("GIVEN", value, "HOME", "/root", "PPID", "1", "not a name", "x"),
                List.of());

        Ground.Result result = Ground.run(sandbox, request);

        assertThat(result.err()).isEmpty();
        assertThat(ground.workspace.resolve("value")).hasContent(value);
        assertThat(Files.readString(ground.workspace.resolve("names")))
                .contains("GIVEN", "HOME", "PATH", "TMPDIR")
                .doesNotContain("JAVA", "not a name", "MAVEN", "header");
    }

    @Test
    void starts_in_the_folder_it_was_told_to() throws Exception {
        Path cwd = ground.folder(ground.workspace.resolve("a folder with 'quotes'"));

        Ground.Result result =
                Ground.run(sandbox, new CommandRequest("pwd", ground.workspace, cwd, Map.of(), List.of()));

        assertThat(result.out()).isEqualTo(cwd + "\n");
    }

    @Test
    void refuses_a_folder_outside_the_workspace() {
        assertThatThrownBy(() ->
                        sandbox.start(new CommandRequest("pwd", ground.workspace, ground.outside, Map.of(), List.of())))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("choose a folder in");
    }

    @Test
    void refuses_nul_and_a_command_no_kernel_would_take() {
        assertThatThrownBy(() -> sandbox.start(ground.request("echo \0")))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("NUL");
        assertThatThrownBy(() -> sandbox.start(ground.request("#" + "x".repeat(140_000))))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("longer than");
    }

    @Test
    void runs_the_longest_command_the_kernel_takes() throws Exception {
        assertThat(ground.confined(sandbox, "echo ok #" + "\n".repeat(2_000) + "#".repeat(129_000))
                        .out())
                .isEqualTo("ok\n");
    }

    @Test
    void has_private_places_to_write_to_that_are_bounded() throws Exception {
        try (BubblewrapSandbox small = ground.sandbox(Ground.smallSettings())) {
            String tryAll = "for d in /tmp $HOME /dev/shm; do head -c 60000000 /dev/zero > $d/big 2>/dev/null"
                    + " && echo unbounded $d; rm -f $d/big; echo ok > $d/f && cat $d/f; done";

            assertThat(ground.confined(small, tryAll).out()).isEqualTo("ok\nok\nok\n");
        }
    }

    @Test
    void never_runs_as_root() throws Exception {
        Account root = new Account("root", 0, 0);
        try (BubblewrapSandbox asRoot = BubblewrapSandbox.open(_ -> root, SandboxSettings.standard(), _ -> {
            throw new AssertionError();
        })) {
            assertThat(asRoot.confinement().level()).isEqualTo(Confinement.Level.UNAVAILABLE);
            assertThatThrownBy(() -> asRoot.start(ground.request("touch made")))
                    .isInstanceOf(ToolFailure.class)
                    .hasMessageContaining("never run as root");
        }
        assertThat(ground.workspace.resolve("made")).doesNotExist();
    }

    @Test
    void refuses_system_folders_as_workspace() {
        for (String folder : List.of("/", "/usr", "/etc", "/proc/self", "/tmp")) {
            Path path = Path.of(folder);
            assertThatThrownBy(() -> sandbox.start(new CommandRequest("ls", path, path, Map.of(), List.of())))
                    .as(folder)
                    .isInstanceOf(ToolFailure.class);
        }
    }

    @Test
    void starts_nothing_after_it_was_closed() {
        sandbox.close();

        assertThatThrownBy(() -> sandbox.start(ground.request("touch made")))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("shut down");
        assertThat(ground.workspace.resolve("made")).doesNotExist();
    }
}
