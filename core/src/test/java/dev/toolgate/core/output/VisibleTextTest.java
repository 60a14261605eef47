package dev.toolgate.core.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleTextTest {

    @Test
    void ordinary_text_is_unchanged() {
        String text = "naïve 日本語 🙂\n\tindented\n\nend\n";

        assertThat(VisibleText.visible(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r",
                "\u001B",
                "\b",
                "\u007F",
                "\u0085",
                "\u202E",
                "\u2066",
                "\u200B",
                "\u00AD",
                "\u2028",
                "\u00A0",
                "\u3000",
                "\u2800",
                "\u3164",
                "\uFEFF",
                "\uD800",
                "\uE000",
                "\uDB40\uDC41"
            })
    void invisible_and_direction_characters_are_escaped(String hidden) {
        assertThat(VisibleText.visible("a" + hidden + "b"))
                .isEqualTo("a\\u{%x}b".formatted(hidden.codePointAt(0)))
                .isEqualTo(VisibleText.visible(VisibleText.visible("a" + hidden + "b")));
    }

    @Test
    void long_runs_of_blanks_and_empty_lines_are_collapsed() {
        assertThat(VisibleText.visible("ls" + " ".repeat(500) + "; rm x")).isEqualTo("ls[500 blanks]; rm x");
        assertThat(VisibleText.visible("ls" + "\n \t".repeat(100_000) + "\nrm x"))
                .isEqualTo("ls\n[100000 empty lines]\nrm x");
        assertThat(VisibleText.visible("a\n\n\n\nb")).isEqualTo("a\n\n\n\nb");
    }

    @Test
    void a_line_stays_one_line() {
        assertThat(VisibleText.line("a\nb\tc")).isEqualTo("a\\u{a}b\\u{9}c");
        assertThat(VisibleText.indented("a\nb")).isEqualTo("    a\n    b");
    }
}
