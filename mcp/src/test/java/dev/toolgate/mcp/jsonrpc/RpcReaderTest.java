package dev.toolgate.mcp.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RpcReaderTest {
    private static final RpcReader READER = new RpcReader(RpcLimits.DEFAULT);

    private static RpcMessage read(String json) {
        return READER.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static RpcException refused(String json) {
        try {
            RpcMessage message = read(json);
            throw new AssertionError("Was read as " + message);
        } catch (RpcException refused) {
            return refused;
        }
    }

    @Test
    void reads_a_request_with_its_id_and_parameters() {
        RpcMessage.Request request = (RpcMessage.Request)
                read("{\"jsonrpc\": \"2.0\", \"id\": \"a\", \"method\": \"m\", \"params\": {\"x\": 1}, \"more\": 2}");

        assertThat(request.id()).isEqualTo(RpcId.of("a"));
        assertThat(request.method()).isEqualTo("m");
        assertThat(request.params()).hasToString("{\"x\":1}");
    }

    @Test
    void reads_notifications_results_and_errors() {
        assertThat(read("{\"jsonrpc\": \"2.0\", \"method\": \"m\"}")).isEqualTo(new RpcMessage.Notification("m", null));
        assertThat(read("{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {}}"))
                .isInstanceOfSatisfying(RpcMessage.Result.class, result -> assertThat(result.id())
                        .isEqualTo(RpcId.of(7)));
        assertThat(read("{\"jsonrpc\": \"2.0\", \"id\": null, \"error\": {\"code\": -5, \"message\": \"no\"}}"))
                .isEqualTo(new RpcMessage.Failure(null, new RpcError(-5, "no", null)));
    }

    @Test
    void a_string_and_a_number_are_different_ids() {
        assertThat(RpcId.of("1")).isNotEqualTo(RpcId.of(1));
        assertThat(RpcId.of(9_007_199_254_740_993L).json()).hasToString("9007199254740993");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "nonsense", "{\"a\": 1} {\"b\": 2}", "{\"a\": 1, \"a\": 2}", "[1", "\u0000"})
    void refuses_anything_but_one_json_value(String text) {
        RpcException refused = refused(text);

        assertThat(refused.error().code()).isEqualTo(RpcErrorCode.PARSE_ERROR.code());
        assertThat(refused.error().message()).startsWith("The ").endsWith(".");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "null",
                "\"text\"",
                "{}",
                "{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"m\"}",
                "{\"jsonrpc\": 2.0, \"id\": 1, \"method\": \"m\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 3}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\"}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"m\", \"params\": []}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"m\", \"params\": null}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"m\", \"result\": {}}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}, \"error\": {\"code\": 1, \"message\": \"\"}}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": 5}",
                "{\"jsonrpc\": \"2.0\", \"result\": {}}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"error\": {\"code\": \"x\", \"message\": \"no\"}}"
            })
    void refuses_json_that_is_not_a_message(String json) {
        assertThat(refused(json).error().code()).isEqualTo(RpcErrorCode.INVALID_REQUEST.code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1.5", "true", "{}", "[]", "99999999999999999999", "\"\\ud800\"", "\"\\udc00x\""})
    void refuses_ids_that_could_not_be_sent_back(String id) {
        RpcException refused = refused("{\"jsonrpc\": \"2.0\", \"id\": " + id + ", \"method\": \"m\"}");

        assertThat(refused.error().code()).isEqualTo(RpcErrorCode.INVALID_REQUEST.code());
        assertThat(refused.id()).isNull();
    }

    @Test
    void refuses_huge_ids_and_methods() {
        String huge = "x".repeat(RpcId.MAX_LENGTH + 1);
        assertThat(refused("{\"jsonrpc\": \"2.0\", \"id\": \"" + huge + "\", \"method\": \"m\"}"))
                .hasMessageContaining("256");
        assertThat(refused("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"" + huge + "\"}")
                        .id())
                .isEqualTo(RpcId.of(1));
    }

    @Test
    void refuses_batches_with_one_error() {
        RpcException refused = refused("[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]");

        assertThat(refused.error().code()).isEqualTo(RpcErrorCode.INVALID_REQUEST.code());
        assertThat(refused).hasMessageContaining("Batches");
    }

    @Test
    void refuses_messages_that_are_too_deep_too_long_or_too_large() {
        assertThat(refused("[".repeat(100_000))).hasMessageContaining("200 levels");
        assertThat(refused("{\"" + "n".repeat(2_000) + "\": 1}")).hasMessageContaining("1000 characters");
        assertThat(refused("{\"a\": " + "9".repeat(2_000) + "}")).hasMessageContaining("1000 digits");
        assertThat(refused("{\"a\": 1e99999}")).hasMessageContaining("exponent");
        RpcReader small = new RpcReader(RpcLimits.DEFAULT.withMaxBytes(10));
        assertThatThrownBy(() -> small.read(new byte[11]))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("11 bytes");
    }

    @Test
    void refuses_invalid_utf8() {
        byte[] latin = "{\"jsonrpc\": \"é\"}".getBytes(StandardCharsets.ISO_8859_1);
        byte[] wide = "{\"jsonrpc\": \"2.0\"}".getBytes(StandardCharsets.UTF_16LE);

        assertThatThrownBy(() -> READER.read(latin)).hasMessageContaining("UTF-8");
        assertThatThrownBy(() -> READER.read(wide)).hasMessageContaining("UTF-8");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "1.0, 1.0",
        "0.1, 0.1",
        "123456789012345678901234567890, 123456789012345678901234567890",
        "0.12345678901234567890123, 0.12345678901234567890123",
        "1e300, 1.0E300"
    })
    void keeps_every_digit_of_a_number(String sent, String passedOn) {
        RpcMessage.Notification message = (RpcMessage.Notification)
                read("{\"jsonrpc\": \"2.0\", \"method\": \"m\", \"params\": {\"n\": " + sent + "}}");

        assertThat(new String(RpcWriter.bytes(message), StandardCharsets.UTF_8)).contains("{\"n\":" + passedOn + "}");
    }
}
