package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalLinesTest {
    private final PipedWriter typed = new PipedWriter();
    private final Deque<String> soon = new ArrayDeque<>();
    private int pauses;

    private TerminalLines lines() throws IOException {
        return new TerminalLines(new BufferedReader(new PipedReader(typed)), StandardCharsets.UTF_8, this::pass);
    }

    /** The next piece of a paste arrives in every ninth pause. */
    private void pass() {
        pauses++;
        if (pauses % 9 == 0 && !soon.isEmpty()) {
            try {
                typed.write(soon.remove());
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    @Test
    void a_paste_in_pieces_is_read_as_one_without_waiting_for_later_lines() throws IOException {
        TerminalLines lines = lines();
        typed.write("one\n");
        soon.addAll(List.of("two\nthree\n", "four\n"));

        assertThat(lines.line()).isEqualTo("one");
        assertThat(lines.more()).isEqualTo("two");
        assertThat(lines.more()).isEqualTo("three");
        assertThat(lines.more()).isEqualTo("four");
        assertThat(pauses).isEqualTo(18);
        assertThat(lines.more()).isNull();
        assertThat(pauses).isEqualTo(28);
    }

    @Test
    void a_line_is_cut_by_its_bytes_and_not_by_its_characters() throws IOException {
        TerminalLines lines = lines();

        assertThat(lines.isCut("x".repeat(4094))).isFalse();
        assertThat(lines.isCut("x".repeat(4095))).isTrue();
        assertThat(lines.isCut("é".repeat(2047))).isFalse();
        assertThat(lines.isCut("é".repeat(2048))).isTrue();
    }
}
