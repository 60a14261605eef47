package dev.toolgate.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerEventsTest {
    @Test
    void lines_of_data_are_joined_by_line_feeds_and_lose_one_space() {
        assertThat(events("data: a\ndata:  b \ndata:c\ndata\n\n")).containsExactly("|a\n b \nc\n");
    }

    @Test
    void lines_end_with_any_line_end() {
        assertThat(events("data: a\r\ndata: b\r\n\r\ndata: c\r\rdata: d\n\n")).containsExactly("|a\nb", "|c", "|d");
    }

    @Test
    void comments_other_fields_and_a_byte_order_mark_are_skipped() {
        assertThat(events("\uFEFFdata: a\n: data: no\ndatabase: no\nid: 7\nretry: 5\n\n"))
                .containsExactly("|a");
    }

    @Test
    void a_name_is_that_of_its_own_event_only() {
        assertThat(events("event: first\n\ndata: a\n\nevent:second\ndata: b\n\nevent: \ndata: c\n\n"))
                .containsExactly("|a", "second|b", "|c");
    }

    @Test
    void an_event_without_data_is_skipped_and_one_with_empty_data_is_not() {
        assertThat(events("event: ping\n\ndata:\n\n")).containsExactly("|");
    }

    @Test
    void an_event_cut_off_by_the_end_of_the_stream_is_dropped() {
        assertThat(events("data: a\n\ndata: b\ndata: c\n")).containsExactly("|a");
        assertThat(events("data: a")).isEmpty();
    }

    private static List<String> events(String stream) {
        List<String> read = new ArrayList<>();
        ServerEvents events = new ServerEvents(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(() -> events.read(
                        new PrintWriter(Writer.nullWriter()), (event, data) -> read.add(event + "|" + data)))
                .hasMessageContaining("the server has ended the stream");
        return read;
    }
}
