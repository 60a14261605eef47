package dev.toolgate.mcp.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    private static List<String> lines(InputStream in, int max) throws IOException {
        LineReader reader = new LineReader(in, max);
        List<String> lines = new ArrayList<>();
        for (LineReader.Line line = reader.next(); line != null; line = reader.next()) {
            lines.add(
                    switch (line) {
                        case LineReader.Whole whole -> new String(whole.bytes(), StandardCharsets.UTF_8);
                        case LineReader.TooLong tooLong -> "too long: " + tooLong.length();
                    });
        }
        return lines;
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void skips_empty_lines_and_carriage_returns() throws IOException {
        assertThat(lines(bytes("a\n\n\r\nb\r\nc\n"), 10)).containsExactly("a", "b", "c");
    }

    @Test
    void drops_an_incomplete_last_line() throws IOException {
        assertThat(lines(bytes("a\nhalf"), 10)).containsExactly("a");
    }

    @Test
    void reports_a_line_that_is_too_long_and_continues() throws IOException {
        assertThat(lines(bytes("x".repeat(100_000) + "\nnext\n"), 10)).containsExactly("too long: 100000", "next");
    }

    @Test
    void joins_a_line_that_arrives_in_pieces() throws IOException {
        String line = "é".repeat(50_000);

        assertThat(lines(bytes(line + "\n"), 200_000)).containsExactly(line);
    }
}
