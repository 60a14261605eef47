package dev.toolgate.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class McpHeadersTest {

    @ParameterizedTest
    @ValueSource(strings = {"us-west1", "", "a b", "Hello, 世界", " padded ", "line1\nline2", "=?base64?literal?=", "\t"})
    void every_text_survives_a_header(String value) {
        String encoded = McpHeaders.encode(value);

        assertThat(encoded).matches("[\\x20-\\x7e]*").isEqualTo(encoded.strip());
        assertThat(McpHeaders.decode(encoded)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"us-west1", "SGVsbG8=", "=?base64?SGVsbG8=", "SGVsbG8=?=", "=?BASE64?SGVsbG8=?="})
    void what_is_not_marked_is_taken_as_it_is(String value) {
        assertThat(McpHeaders.decode(value)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?/////w==?=", "a\u0001b", "é"})
    void refuses_what_no_client_may_send(String value) {
        assertThat(McpHeaders.decode(value)).isNull();
    }
}
