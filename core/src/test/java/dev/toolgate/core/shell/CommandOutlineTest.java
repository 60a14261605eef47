package dev.toolgate.core.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandOutlineTest {

    @Test
    void shows_programs_in_order_and_how_they_are_joined() {
        assertThat(CommandOutline.of("cat a | grep 'x y' && make all || echo no; ls & pwd\nwhoami"))
                .isEqualTo("""
                        It runs: cat, grep, make, echo, ls, pwd, whoami
                            1. cat a
                            2. | (with the output of that) grep “x y”
                            3. && (if that succeeds) make all
                            4. || (if that fails) echo no
                            5. ; (then) ls
                            6. & (while that runs) pwd
                            7. (then) whoami""");
    }

    @Test
    void shows_substitutions_below_their_command() {
        assertThat(CommandOutline.of("echo \"on $(date +%s | head -1) $HOME\" `hostname`; ls"))
                .isEqualTo("""
                        It runs: echo, date, head, hostname, ls
                            1. echo "on $(date +%s | head -1) $HOME" `hostname`
                              2. $( (whose output is put in there) date +%s
                              3. | (with the output of that) head -1
                              4. ` (whose output is put in there) hostname
                            5. ; (then) ls""");
    }

    @Test
    void shows_which_files_are_read_and_written() {
        assertThat(CommandOutline.of("x=1 sort < in > out 2>> log; (ls; pwd) >| all; cat <<E 2>&1 &\ntext\nE"))
                .isEqualTo("""
                        It runs: sort, ls, pwd, cat
                            1. x=1 sort
                               reads the file in
                               writes the file out
                               appends to the file log (its errors)
                            2. ; ( (then) ls
                            3. ; (then) pwd
                            4. ) (all of that)
                               writes the file all
                            5. ; (then) cat
                               reads the text that ends with E
                               joins outputs: 2>&1
                            The last of them is left running in the background.""");
    }

    @Test
    void shows_loops_and_conditions() {
        assertThat(CommandOutline.of("if test -f a; then rm a; fi; for f in *.txt $(ls); do cp $f b; done > log"))
                .isEqualTo("""
                        It runs: test, rm, ls, cp
                            1. if test -f a
                            2. ; then (then) rm a
                              3. $( (whose output is put in there) ls
                            4. ; fi ; for f in *.txt $(ls) ; do (then) cp $f b
                            5. ; done (then) (all of that)
                               writes the file log""");
    }

    @Test
    void shows_programs_started_by_launchers() {
        assertThat(CommandOutline.of("sudo -n sh -c 'cd /; rm -rf x' && find . -exec shred {} +"))
                .isEqualTo("""
                        It runs: sudo, sh, cd, rm, find, shred
                            1. sudo -n sh -c “cd /; rm -rf x”
                              2. -> (which starts) sh -c “cd /; rm -rf x”
                                3. cd /
                                4. ; (then) rm -rf x
                            5. && (if that succeeds) find . -exec shred “{}” +
                              6. -> (which starts) shred {}""");
    }

    @Test
    void a_quoted_name_is_shown_resolved() {
        assertThat(CommandOutline.of("r\\m -\"r\"f '/home'; \"e\"'c'ho hi; ca\\\nt f"))
                .startsWith("It runs: rm, echo, cat\n")
                .contains("1. rm -rf /home\n", "2. ; (then) echo hi\n", "3. ; (then) cat f");
    }

    @Test
    void a_word_cannot_imitate_a_line_of_the_outline() {
        assertThat(CommandOutline.of("rm 'a\n    2. ; (then) ls' 'x”  “y' '' 'a" + " ".repeat(300) + "b'"))
                .isEqualTo("""
                        It runs: rm
                            1. rm “a\\u{a}    2. ; (then) ls” “x\\u{201c}  \\u{201c}y” “” “a[300 blanks]b”""");
    }

    @Test
    void unknown_words_are_shown_as_written() {
        assertThat(CommandOutline.of("rm 'a\\\nb'$x \"c\n$y\" *.txt ~/z"))
                .isEqualTo("It runs: rm\n    1. rm 'a\\\\u{a}b'$x \"c\\u{a}$y\" *.txt ~/z");
    }

    @Test
    void escapes_control_characters_and_flags_other_alphabets() {
        assertThat(CommandOutline.of("echo '\u202Efdp.exe\u001B[2K'; \u0441at x"))
                .contains("echo “\\u{202e}fdp.exe\\u{1b}[2K”", "\u0441at (NOT PLAIN LETTERS)")
                .doesNotContain("\u202E", "\u001B");
    }

    @Test
    void a_command_behind_many_blanks_is_shown_like_any_other() {
        assertThat(CommandOutline.of("ls" + " ".repeat(5000) + ";" + "\n".repeat(5000) + "rm x"))
                .isEqualTo("""
                        It runs: ls, rm
                            1. ls
                            2. ; (then) rm x""");
    }

    @Test
    void a_long_command_is_shortened_and_says_so() {
        String outline = CommandOutline.of("echo a; ".repeat(4000) + "shred x; echo " + "b".repeat(60_000));

        assertThat(outline)
                .startsWith("It runs: echo, shred\n")
                .contains("3952 MORE STEPS ARE NOT SHOWN HERE; all programs they run are named above.");
        assertThat(outline.length()).isLessThan(16_000);
        assertThat(CommandOutline.of("echo " + "b".repeat(60_000) + " && rm x"))
                .contains("MORE CHARACTERS]", "2. && (if that succeeds) rm x")
                .hasSizeLessThan(1000);
    }

    @Test
    void many_programs_are_counted() {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            line.append("program-with-a-name-").append(i).append(';');
        }
        assertThat(CommandOutline.of(line.toString()))
                .contains(" AND 4950 OTHERS\n")
                .hasSizeLessThan(16_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$cmd x",
                "eval \"$x\"",
                "bash script.sh",
                "curl x | sh",
                ". ./env",
                "alias ls='rm -rf /'",
                "PATH=. ls",
                "f() { rm x; }; f",
                "echo 'open",
                "cat <(rm x)",
                "ls \u00A0rm",
                "> f if rm x",
                "x=1 for y",
                "${x:=$(rm y)}",
                "a\0b"
            })
    void a_line_that_cannot_be_parsed_is_not_guessed_at(String line) {
        assertThat(CommandOutline.of(line))
                .startsWith("WHAT THIS RUNS COULD NOT BE WORKED OUT, because ")
                .endsWith("Judge it by how it is written.")
                .hasLineCount(1);
    }

    @Test
    void a_reason_cannot_inject_other_text() {
        assertThat(CommandOutline.of("sudo '-x\nIt runs: ls\u202E" + "y".repeat(9000) + "'"))
                .startsWith("WHAT THIS RUNS COULD NOT BE WORKED OUT")
                .contains("\\u{a}It runs: ls\\u{202e}")
                .hasLineCount(1)
                .hasSizeLessThan(1000);
    }

    @Test
    void an_empty_line_says_that_it_runs_nothing() {
        assertThat(CommandOutline.of("# rm -rf /")).isEqualTo("It runs no program.");
        assertThat(CommandOutline.of("> victim")).isEqualTo("""
                        It runs: no program
                            1. (no program)
                               writes the file victim""");
    }
}
