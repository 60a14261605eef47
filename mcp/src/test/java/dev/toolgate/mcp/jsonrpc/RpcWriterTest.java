package dev.toolgate.mcp.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class RpcWriterTest {
    private static String text(RpcMessage message) {
        return new String(RpcWriter.bytes(message), StandardCharsets.UTF_8);
    }

    @Test
    void writes_each_kind_of_message_on_one_line() {
        var params = JsonNodeFactory.instance.objectNode().put("text", "a\nb");

        assertThat(text(new RpcMessage.Request(RpcId.of("x"), "m", params)))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"m\",\"params\":{\"text\":\"a\\nb\"}}");
        assertThat(text(new RpcMessage.Notification("m", null))).isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}");
        assertThat(text(new RpcMessage.Result(RpcId.of(1), JsonNodeFactory.instance.objectNode())))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    }

    @Test
    void leaves_out_the_id_of_a_request_that_could_not_be_read() {
        assertThat(text(new RpcMessage.Failure(null, new RpcError(-1, "no", null))))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-1,\"message\":\"no\"}}");
    }

    @Test
    void passes_on_every_character() {
        var params = JsonNodeFactory.instance.objectNode().put("text", "é😀\ud800");

        assertThat(new RpcReader(RpcLimits.DEFAULT).read(RpcWriter.bytes(new RpcMessage.Notification("m", params))))
                .isEqualTo(new RpcMessage.Notification("m", params));
    }

    @Test
    void refuses_trees_that_are_too_deep() {
        var params = JsonNodeFactory.instance.objectNode();
        var deepest = params.putArray("a");
        for (int i = 0; i < 5_000; i++) {
            deepest = deepest.addArray();
        }

        assertThatThrownBy(() -> RpcWriter.bytes(new RpcMessage.Notification("m", params)))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("deeply");
    }
}
