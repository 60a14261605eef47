package dev.toolgate.chat.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.ProviderKey;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartsTest {
    private static List<String> events(String stream) throws Exception {
        SseData data = new SseData(new Lines(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)), 1000));
        List<String> events = new ArrayList<>();
        for (String event = data.next(); event != null; event = data.next()) {
            events.add(event);
        }
        return events;
    }

    @Test
    void events_are_parsed_as_specified() throws Exception {
        assertThat(events("\uFEFFdata: a\n\n: a comment\n\nevent: x\nid: 1\ndata:b\ndata: c\n\ndata\n\ndata: cut off"))
                .containsExactly("a", "b\nc");
        assertThat(events("data: a\r\rdata: b\r\n\r\ndata:  c\n\n")).containsExactly("a", "b", " c");
        assertThat(events("")).isEmpty();
    }

    @Test
    void an_event_of_many_lines_is_bounded_like_a_line() throws Exception {
        assertThat(events("data:\n".repeat(1001) + "\n")).containsExactly("\n".repeat(1000));
        assertThatExceptionOfType(ProviderFailed.class)
                .isThrownBy(() -> events("data:\n".repeat(1002)))
                .withMessage("The provider sent an event of more than 1000 characters.")
                .satisfies(failed -> assertThat(failed.failure().kind()).isEqualTo(Kind.TOO_LARGE));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0",
                " 17 |17",
                "99999999999|86400",
                "Thu, 01 Jan 2026 00:00:30 GMT|30",
                "Wed, 31 Dec 2025 00:00:00 GMT|0"
            })
    void both_forms_of_retry_after_are_parsed(String header, long seconds) {
        assertThat(RetryAfter.parse(header, () -> Instant.parse("2026-01-01T00:00:00Z")))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "1.5", "999999999999999999999999"})
    void a_malformed_retry_after_is_ignored(String header) {
        assertThat(RetryAfter.parse(header, Instant::now)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "'', http://127.0.0.1:11434",
        "0.0.0.0, http://127.0.0.1:11434",
        "gpu, http://gpu:11434",
        "gpu:8080, http://gpu:8080",
        ":8080, http://127.0.0.1:8080",
        "https://ollama.example, https://ollama.example",
        "http://gpu:1/path, http://gpu:1/path"
    })
    void the_address_of_ollama_is_parsed(String written, String address) {
        assertThat(OllamaHost.parse(written)).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://gpu", "a b", "http://"})
    void a_malformed_address_is_refused(String written) {
        assertThatIllegalArgumentException().isThrownBy(() -> OllamaHost.parse(written));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "secret\r\nx-header: injected", "schlüssel-secret"})
    void an_invalid_key_is_refused_without_being_repeated(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProviderKey.of(key))
                .withMessageNotContaining("secret")
                .withMessageNotContaining("injected");
        assertThat(ProviderKey.of("abc")).hasToString("[redacted]");
    }
}
