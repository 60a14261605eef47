package dev.toolgate.runtime.tools.shell;

import static dev.toolgate.runtime.tools.shell.BashFixture.command;
import static dev.toolgate.runtime.tools.shell.BashFixture.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BashToolTest extends WithBash {

    @AfterEach
    void nothing_is_left_running() {
        assertThat(bash.sandbox.nothingIsAlive()).isTrue();
    }

    @Test
    void ac_15_echo_hello_succeeds_with_exit_code_0() throws Exception {
        Output output = bash.run("echo hello");

        assertThat(output.text()).contains("hello");
        assertThat(output.metadata()).containsEntry("exitCode", 0);
        assertThat(output.verdict()).isEqualTo(Output.Verdict.OK);
    }

    @Test
    void ac_16_a_command_that_exits_with_42_is_an_error_with_that_exit_code() throws Exception {
        Output output = bash.run("exit 42");

        assertThat(output.verdict()).isEqualTo(Output.Verdict.ERROR);
        assertThat(output.metadata()).containsEntry("exitCode", 42);
        assertThat(output.text()).startsWith("Exit code: 42\n");
    }

    @Test
    void ac_17_exceeding_the_time_out_is_an_error() {
        ToolFailure failure = failure(command("sleep 300", 1), Bounds.none());

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT);
        assertThat(failure.failure().message()).isEqualTo("Command timed out after 1 seconds");
    }

    @Test
    void the_text_has_exit_code_and_both_streams() throws Exception {
        Output output = bash.run("echo out; echo err >&2; exit 3");

        assertThat(output.text()).isEqualTo("Exit code: 3\n--- stdout ---\nout\n--- stderr ---\nerr\n");
        assertThat(output.structured()).isEqualTo(new ShellResult("out\n", "err\n", 3));
    }

    @Test
    void a_missing_final_line_break_does_not_join_the_next_title() throws Exception {
        assertThat(bash.run("printf out").text()).isEqualTo("Exit code: 0\n--- stdout ---\nout\n--- stderr ---\n");
        assertThat(bash.run("true").text()).isEqualTo("Exit code: 0\n--- stdout ---\n--- stderr ---\n");
    }

    @Test
    void standard_input_reaches_the_command_whole() throws Exception {
        String text = "line ☃\n".repeat(100_000);

        Output output = bash.tool.call(new BashArguments("wc -c", null, null, text), within(Bounds.none()));

        assertThat(BashFixture.result(output).stdout().strip()).isEqualTo("900000");
    }

    @Test
    void a_command_that_ignores_its_input_still_ends() throws Exception {
        BashArguments unread = new BashArguments("echo done", null, null, "x".repeat(5_000_000));

        assertThat(bash.tool.call(unread, within(Bounds.none())).text()).contains("done");
    }

    @Test
    void without_stdin_a_reading_command_gets_end_of_file() throws Exception {
        assertThat(bash.run("cat; echo over").text()).contains("over");
    }

    @Test
    void the_command_gets_exactly_the_given_environment() throws Exception {
        String variables = BashFixture.result(bash.run("env")).stdout();

        assertThat(variables.lines().map(line -> line.replaceFirst("=.*", "")).filter(name -> !name.equals("_")))
                .containsExactlyInAnyOrder("PATH", "GREETING", "PWD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "\n\t"})
    void an_empty_command_is_refused(String empty) {
        assertThat(failure(command(empty, null), Bounds.none()).failure().code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void a_command_with_nul_or_above_the_size_limit_is_refused() {
        assertThat(failure(command("echo a\0b", null), Bounds.none()).failure().message())
                .isEqualTo("Field 'command' must not contain a NUL character");
        assertThat(failure(command("echo " + "x".repeat(200_000), null), Bounds.none())
                        .failure()
                        .message())
                .startsWith("Field 'command' must not be longer than");
    }

    @Test
    void the_network_is_off_unless_domains_are_allowed() throws Exception {
        bash.run("true");
        assertThat(bash.sandbox.lastRequest().allowedDomains()).isEmpty();

        bash.tool.call(
                command("true", null),
                within(new Bounds(null, null, null, null, List.of(), List.of("example.org"), null, List.of())));
        assertThat(bash.sandbox.lastRequest().allowedDomains()).containsExactly("example.org");
    }

    @Test
    void the_bounds_can_only_shorten_the_time_out() {
        Bounds half = new Bounds(null, null, Duration.ofMillis(500), null, List.of(), null, null, List.of());
        Bounds hour = new Bounds(null, null, Duration.ofHours(1), null, List.of(), null, null, List.of());

        assertThat(failure(command("sleep 300", 60), half).failure().message())
                .isEqualTo("Command timed out after 0.5 seconds");
        assertThat(failure(command("sleep 300", 1), hour).failure().message())
                .isEqualTo("Command timed out after 1 seconds");
    }

    @Test
    void has_aliases_with_their_defaults() {
        ToolSpec<BashArguments> spec = bash.tool.spec();

        assertThat(spec.names()).containsExactly("bash", "RunCommand", "executeShellCommand");
        assertThat(spec.capability()).isEqualTo("Shell.Exec");
        assertThat(spec.category()).isEqualTo(Category.EXEC);
        assertThat(spec.danger()).isEqualTo(Danger.DANGEROUS);
        assertThat(spec.definition(Alias.Naming.RUNTIME)
                        .inputSchema()
                        .at("/properties/timeout/default")
                        .asInt())
                .isEqualTo(300);
        assertThat(spec.definition()
                        .inputSchema()
                        .at("/properties/timeout/default")
                        .asInt())
                .isEqualTo(60);
        assertThat(spec.definition()
                        .inputSchema()
                        .at("/properties/timeout/maximum")
                        .asInt())
                .isEqualTo(600);
        assertThat(spec.alias("RunCommand").orElseThrow().absolutePaths()).containsExactly("cwd");
    }

    private ToolFailure failure(BashArguments arguments, Bounds bounds) {
        return catchThrowableOfType(ToolFailure.class, () -> bash.tool.call(arguments, within(bounds)));
    }
}
