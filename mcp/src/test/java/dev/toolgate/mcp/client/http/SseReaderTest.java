package dev.toolgate.mcp.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SseReaderTest {
    private static SseReader reader(String text) {
        return new SseReader(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), 1_000, SseReader.UNBOUNDED);
    }

    private static List<String> read(SseReader reader) throws IOException, McpFailure {
        List<String> data = new ArrayList<>();
        for (SseEvent event = reader.next(); event != null; event = reader.next()) {
            data.add(new String(event.data(), StandardCharsets.UTF_8));
        }
        return data;
    }

    @Test
    void events_end_with_empty_lines_of_any_kind() throws Exception {
        assertThat(read(reader("data: a\n\ndata: b\r\n\r\ndata:c\r\rdata: unfinished\n")))
                .containsExactly("a", "b", "c");
    }

    @Test
    void several_lines_of_data_are_one_event() throws Exception {
        assertThat(read(reader("data: a\ndata: b\ndata\n\n"))).containsExactly("a\nb\n");
    }

    @Test
    void comments_other_fields_and_other_events_are_skipped() throws Exception {
        assertThat(read(reader("\uFEFF: hello\n\nevent: ping\ndata: x\n\nfoo: bar\nevent: message\ndata: y\n\n")))
                .containsExactly("y");
    }

    @Test
    void id_and_retry_are_remembered() throws Exception {
        SseReader reader = reader("id: 7\nretry: 250\ndata: a\n\nid: bad\u0000id\nretry: soon\ndata: b\n\n");
        assertThat(read(reader)).containsExactly("a", "b");
        assertThat(reader.lastId()).isEqualTo("7");
        assertThat(reader.retry()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void bytes_may_arrive_one_by_one() throws Exception {
        byte[] bytes = "data: h\u00e9llo\r\n\r\ndata: w\u00f6rld\n\n".getBytes(StandardCharsets.UTF_8);
        InputStream slow = new InputStream() {
            private int next;

            @Override
            public int read() {
                return next < bytes.length ? bytes[next++] & 0xff : -1;
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                int one = read();
                if (one < 0) {
                    return -1;
                }
                target[offset] = (byte) one;
                return 1;
            }
        };
        assertThat(read(new SseReader(slow, 1_000, SseReader.UNBOUNDED))).containsExactly("h\u00e9llo", "w\u00f6rld");
    }

    @Test
    void a_large_event_and_a_long_stream_are_refused() {
        McpFailure event = catchThrowableOfType(
                McpFailure.class,
                () -> read(reader("data: " + "x".repeat(600) + "\ndata: " + "x".repeat(600) + "\n\n")));
        assertThat(event.kind()).isEqualTo(McpFailureKind.TOO_LARGE);
        SseReader stream = new SseReader(
                new ByteArrayInputStream("data: x\n\n".repeat(5_000).getBytes(StandardCharsets.UTF_8)), 1_000, 20_000);
        McpFailure total = catchThrowableOfType(McpFailure.class, () -> read(stream));
        assertThat(total).hasMessageContaining("more than 20000 bytes");
    }
}
