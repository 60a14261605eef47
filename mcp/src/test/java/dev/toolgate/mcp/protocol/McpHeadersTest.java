package dev.toolgate.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class McpHeadersTest {

    @ParameterizedTest
    @ValueSource(strings = {"us-west1", "", "a b", "Hello, 世界", " padded ", "line1\nline2", "=?base64?literal?=", "\t"})
    void every_string_survives_encoding_and_decoding(String value) {
        String encoded = McpHeaders.encode(value);

        assertThat(encoded).matches("[\\x20-\\x7e]*").isEqualTo(encoded.strip());
        assertThat(McpHeaders.decode(encoded)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"us-west1", "SGVsbG8=", "=?base64?SGVsbG8=", "SGVsbG8=?=", "=?BASE64?SGVsbG8=?="})
    void a_value_without_the_base64_marker_is_unchanged(String value) {
        assertThat(McpHeaders.decode(value)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?/////w==?=", "a\u0001b", "é"})
    void refuses_invalid_header_values(String value) {
        assertThat(McpHeaders.decode(value)).isNull();
    }
}
