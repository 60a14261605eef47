package dev.toolgate.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventsTest {
    @Test
    void lines_of_data_are_joined_by_line_feeds_and_lose_one_space() {
        assertThat(events("data: a\ndata:  b \ndata:c\ndata\n\n")).containsExactly("message|a\n b \nc\n");
    }

    @Test
    void lines_end_with_any_line_end() {
        assertThat(events("data: a\r\ndata: b\r\n\r\ndata: c\r\rdata: d\n\n"))
                .containsExactly("message|a\nb", "message|c", "message|d");
    }

    @Test
    void comments_other_fields_and_a_byte_order_mark_are_skipped() {
        assertThat(events("\uFEFFdata: a\n: data: no\ndatabase: no\nid: 7\nretry: 5\n\n"))
                .containsExactly("message|a");
    }

    @Test
    void a_name_is_that_of_its_own_event_only() {
        assertThat(events("event: first\n\ndata: a\n\nevent:second\ndata: b\n\nevent: \ndata: c\n\n"))
                .containsExactly("message|a", "second|b", "message|c");
    }

    @Test
    void an_event_without_data_is_skipped_and_one_with_empty_data_is_not() {
        assertThat(events("event: ping\n\ndata:\n\n")).containsExactly("message|");
    }

    @Test
    void an_event_cut_off_by_the_end_of_the_stream_is_dropped() {
        assertThat(events("data: a\n\ndata: b\ndata: c\n")).containsExactly("message|a");
        assertThat(events("data: a")).isEmpty();
    }

    private static List<String> events(String stream) {
        try (Stream<Events.Event> events =
                Events.of(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)))) {
            return events.map(event -> event.name() + "|" + event.data()).collect(Collectors.toList());
        }
    }
}
