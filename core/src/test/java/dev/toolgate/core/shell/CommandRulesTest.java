package dev.toolgate.core.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CommandRulesTest {
    static final List<String> ALLOWED = List.of(
            ("ls cat echo grep sort head git find xargs env nohup timeout nice sudo sh bash command exec eval builtin time"
                            + " printf test [ read export unset set wait cd true false")
                    .split(" "));

    private static final CommandRules RULES = new CommandRules(ALLOWED, List.of());

    static Stream<String> refused() throws IOException {
        return lines("refused.txt");
    }

    static Stream<String> accepted() throws IOException {
        return lines("accepted.txt");
    }

    @ParameterizedTest
    @MethodSource
    void refused(String line) {
        assertThat(RULES.objection(line)).isPresent();
    }

    @ParameterizedTest
    @MethodSource
    void accepted(String line) {
        assertThat(RULES.objection(line)).isEmpty();
    }

    // A line that could run the command must also be refused where the command is blocked instead of not allowed.
    @ParameterizedTest
    @MethodSource("refused")
    void a_line_that_names_the_blocked_command_is_refused(String line) {
        boolean names = line.matches("(?s)[^'\"$\\\\*?\\[#]*\\bpwn\\b.*");
        if (names && !line.matches("(?s)(alias|compgen|strace|watch).*")) {
            assertThat(new CommandRules(null, List.of("pwn")).objection(line)).isPresent();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/bin/rm x, rm",
        "./rm x, rm",
        "rm x, /bin/rm",
        "ls; \\rm x, rm",
        "sh -c 'rm x', rm",
        "busybox rm x, rm",
        "stdbuf -o0 rm x, rm",
        "find . -exec rm {} +, rm",
        "git -C x push, git push",
        "git push --force, git push",
        "git $x, git push",
    })
    void a_blocked_command_is_refused_however_it_is_started(String line, String blocked) {
        assertThat(new CommandRules(null, List.of(blocked)).objection(line)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({"ls rm, rm", "git pull, git push", "./gradlew test, rm", "echo $x, rm"})
    void what_is_not_blocked_runs(String line, String blocked) {
        assertThat(new CommandRules(null, List.of(blocked)).objection(line)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"/bin/ls x, true", "ls x, false", "/usr/bin/ls x, false", "/bin/../bin/ls, false"})
    void a_path_in_the_list_is_exactly_that_path(String line, boolean allowed) {
        assertThat(new CommandRules(List.of("/bin/ls"), List.of())
                        .objection(line)
                        .isEmpty())
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "tool test, true",
        "tool test -- --watch, true",
        "tool run test, false",
        "tool, false",
        "tool 'test', true",
        "tool $x, false",
        "tool -x test, false",
    })
    void words_in_the_list_must_follow_directly(String line, boolean allowed) {
        assertThat(new CommandRules(List.of("tool test"), List.of())
                        .objection(line)
                        .isEmpty())
                .isEqualTo(allowed);
    }

    @Test
    void an_empty_list_allows_nothing_and_no_list_everything() {
        assertThat(new CommandRules(List.of(), List.of()).objection("ls")).isPresent();
        assertThat(new CommandRules(List.of(" "), List.of()).objection("ls")).isPresent();
        assertThat(new CommandRules(null, List.of()).objection("cannot be $(( read"))
                .isEmpty();
    }

    @Test
    void says_which_command_is_not_allowed_and_which_are() {
        assertThat(new CommandRules(List.of("ls", "cat"), List.of()).objection("ls && rm x"))
                .contains("Command 'rm' is not among the commands the policy allows: [ls, cat]");
    }

    @Test
    void reports_why_a_line_cannot_be_checked() {
        assertThat(RULES.objection("$x"))
                .contains("The command cannot be checked against the policy because the name of a command"
                        + " is only known when the shell runs");
    }

    @Test
    void deep_nesting_is_refused() {
        assertThat(RULES.objection("$(".repeat(50_000))).isPresent();
        assertThat(RULES.objection("(".repeat(50_000))).isPresent();
        assertThat(RULES.objection("env ".repeat(20_000) + "ls")).isPresent();
        assertThat(RULES.objection("case a in a) ".repeat(20_000))).isPresent();
    }

    @Test
    void control_characters_are_refused() {
        assertThat(RULES.objection("ls 'a\0b'")).isPresent();
        assertThat(RULES.objection("ls\rpwn")).isPresent();
        assertThat(RULES.objection("ls\u2028pwn")).isPresent();
    }

    private static Stream<String> lines(String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(CommandRulesTest.class.getResourceAsStream(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.startsWith("# "))
                            .map(line -> line.replace('⏎', '\n').replace('⇥', '\t'))
                            .toList()
                            .stream();
        }
    }
}
