package dev.toolgate.runtime.tools.shell;

import static dev.toolgate.runtime.tools.shell.BashFixture.within;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandPreviewTest extends WithBash {

    @Test
    void shows_command_folder_and_time_without_running() throws Exception {
        BashArguments arguments = new BashArguments("touch made\nrm -rf build", null, 30, null);

        assertThat(bash.tool.preview(arguments, within(Bounds.none())))
                .contains("Run in " + bash.workspace + ", for at most 30 seconds, without network.\n" + """
                        It runs: touch, rm
                            1. touch made
                            2. (then) rm -rf build
                        It is written:
                            touch made
                            rm -rf build""");
        assertThat(bash.workspace).isEmptyDirectory();
    }

    @Test
    void shows_the_bounds_and_standard_input() throws Exception {
        BashArguments arguments = new BashArguments("sh", null, null, "rm -rf .");
        Bounds bounds = new Bounds(
                null, null, Duration.ofSeconds(5), null, List.of(), List.of("a.org", "b.org"), null, List.of());

        assertThat(bash.tool.preview(arguments, within(bounds)).orElseThrow())
                .contains(
                        "at most 5 seconds, reaching only a.org, b.org.\nWHAT THIS RUNS COULD NOT BE WORKED OUT, because")
                .contains("It is written:\n    sh\n")
                .endsWith("with this on standard input:\n    rm -rf .");
    }

    @Test
    void control_and_direction_characters_are_made_visible() throws Exception {
        BashArguments arguments =
                new BashArguments("rm -rf / #\r\u001B[2K\u202Eecho safe\u200B\u2028", null, null, null);

        assertThat(bash.tool.preview(arguments, within(Bounds.none())).orElseThrow())
                .contains("rm -rf / #\\u{d}\\u{1b}[2K\\u{202e}echo safe\\u{200b}\\u{2028}")
                .contains("It runs: rm\n    1. rm -rf /\n")
                .doesNotContain("\r", "\u001B", "\u202E", "\u200B", "\u2028");
    }

    @Test
    void a_long_command_does_not_displace_programs_and_stdin() throws Exception {
        String hidden = "echo a;".repeat(7000) + "rm -rf /;" + "echo a;".repeat(7000);
        BashArguments arguments = new BashArguments(hidden, null, null, "fed".repeat(100_000));

        assertThat(bash.tool.preview(arguments, within(Bounds.none())).orElseThrow())
                .contains("It runs: echo, rm\n", "MORE STEPS ARE NOT SHOWN", "truncated", "on standard input:\n    fed")
                .hasSizeLessThan(64 * 1024);
    }
}
