package dev.toolgate.server.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.toolgate.core.schema.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Thoughts of Ollama over the WebSocket, from a server of our own: aimock sends them in a field {@code
 * reasoning_content}, which Ollama does not have, and none in {@code thinking}, which it has.
 */
@Timeout(60)
class OllamaThinkingTest {
    private static final String ANSWER = """
            {"model":"qwen3","message":{"role":"assistant","content":"","thinking":"Five sixes are thirty, "},"done":false}
            {"model":"qwen3","message":{"role":"assistant","content":"","thinking":"and two more."},"done":false}
            {"model":"qwen3","message":{"role":"assistant","content":"It is 42."},"done":false}
            {"model":"qwen3","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":11,"eval_count":7}
            """;

    @TempDir
    private Path home;

    @Test
    void thoughts_come_before_the_text_and_apart_from_it() throws Exception {
        HttpServer ollama = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ollama.createContext("/api/chat", exchange -> {
            try (exchange) {
                boolean asked = Json.MAPPER
                        .readTree(exchange.getRequestBody())
                        .path("think")
                        .asBoolean(false);
                exchange.sendResponseHeaders(asked ? 200 : 400, 0);
                exchange.getResponseBody().write(ANSWER.getBytes(StandardCharsets.UTF_8));
            }
        });
        ollama.start();
        String address = "http://127.0.0.1:" + ollama.getAddress().getPort();
        try (ChatTrial trial = ChatTrial.start(home, address, Map.of())) {
            ChatClient client = trial.chatAsAdmin();
            ChatMessage message = Model.OLLAMA
                    .message(trial.agent("guided"), "What is six times seven?")
                    .with("thinking_tokens", Json.MAPPER.getNodeFactory().numberNode(2000));
            client.say(message);
            ChatEnvelope end = client.awaitEnd(message.conversation());

            assertThat(end.type()).isEqualTo("chat:stream-end");
            assertThat(end.payload().at("/usage/input_tokens").asInt()).isEqualTo(11);
            assertThat(end.payload().at("/usage/output_tokens").asInt()).isEqualTo(7);
            assertThat(client.said("chat:thinking-delta")).isEqualTo("Five sixes are thirty, and two more.");
            assertThat(client.said("chat:text-delta")).isEqualTo("It is 42.");
            assertThat(client.types().lastIndexOf("chat:thinking-delta"))
                    .isLessThan(client.types().indexOf("chat:text-delta"));
        } finally {
            ollama.stop(0);
        }
    }
}
