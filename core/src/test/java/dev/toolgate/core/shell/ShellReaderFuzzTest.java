package dev.toolgate.core.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.redact.LinearTime;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random lines: the parser terminates in linear time and never misses a command. */
class ShellReaderFuzzTest {
    private static final List<String> PIECES = List.of(
            "ls ",
            "git status ",
            "echo ",
            "sudo ",
            "env ",
            "A=b ",
            "xargs ",
            "find . ",
            "-exec ",
            "sh -c ",
            "'",
            "\"",
            "\\",
            "$",
            "$(",
            "${",
            "}",
            "((",
            "))",
            "(",
            ")",
            "`",
            "|",
            "||",
            "&",
            "&&",
            ";",
            ";;",
            "\n",
            " ",
            "\t",
            "#",
            "<",
            ">",
            ">>",
            "<<E\n",
            "E\n",
            "<(",
            "2>&1 ",
            "{ ",
            "; }",
            "if ",
            "then ",
            "fi ",
            "for x in ",
            "do ",
            "done ",
            "case x in ",
            "esac ",
            "!",
            "~",
            "*",
            "?",
            "[a-z]",
            "{a,b}",
            "{1..9}",
            "é",
            "😀",
            "\0",
            "$'\\n'",
            "eval ");

    private final CommandRules rules =
            new CommandRules(List.of("ls", "echo", "git status", "xargs", "find"), List.of());

    @Test
    void random_lines_never_hide_a_forbidden_command() {
        escapes(11, 5_000);
    }

    @Test
    @Tag("soak")
    void many_random_lines_never_hide_a_forbidden_command() {
        for (int seed = 0; seed < 200; seed++) {
            escapes(seed, 5_000);
        }
    }

    // On its own line outside all quotes, after pieces that are balanced.
    private void escapes(long seed, int lines) {
        Random random = new Random(seed);
        for (int number = 0; number < lines; number++) {
            String before = whole(random);
            String line = before + "\nrun-evil now\n" + pieces(random, 20);
            assertThat(rules.objection(line)).as("seed %s: %s", seed, line).isPresent();
            CommandOutline.of(line);
            rules.objection(pieces(random, 40));
            CommandOutline.of(pieces(random, 40));
        }
    }

    private static String whole(Random random) {
        List<String> whole = List.of(
                "ls", "ls -l; ", "echo 'a'", "echo \"b\"", "echo a\\ b", "ls | ls", "ls && ls", "A=b ls", "ls > x");
        StringBuilder text = new StringBuilder();
        for (int count = random.nextInt(4); count > 0; count--) {
            text.append(whole.get(random.nextInt(whole.size()))).append('\n');
        }
        return text.toString();
    }

    private static String pieces(Random random, int max) {
        StringBuilder text = new StringBuilder();
        for (int count = random.nextInt(max); count > 0; count--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls ",
                "ls;",
                "ls|",
                "ls&&",
                "$(",
                "${a",
                "`",
                "'",
                "\"",
                "\\",
                "{a,",
                "((",
                "<<E\n",
                "<",
                "if ",
                "a=b ",
                "env ",
                "sudo ",
                "xargs ",
                "echo \"$(ls)\" ",
                "for x in a; do ls; done; ",
                "case x in x) ls;; esac; ",
                "#",
                "~",
                "*",
                "\n",
                "sh -c 'ls' ",
                "find . -exec ls {} ; ",
                "a",
                "$((1+",
                "cat <<E\nx\nE\n"
            })
    void parsing_is_linear_in_the_line(String part) {
        LinearTime.check(part, LinearTime.repeated(part), rules::objection);
        LinearTime.check(part, LinearTime.repeated(part), CommandOutline::of);
    }

    @Test
    @Tag("soak")
    void parsing_of_many_random_lines_is_linear() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            String part = pieces(random, 12) + " ";
            LinearTime.check("seed " + seed, LinearTime.repeated(part), line -> {
                rules.objection(line);
                CommandOutline.of(line);
            });
        }
    }
}
