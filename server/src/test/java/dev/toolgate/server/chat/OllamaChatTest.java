package dev.toolgate.server.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.chat.provider.OllamaFrames;
import dev.toolgate.chat.provider.ScriptedServer;
import dev.toolgate.core.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Ollama with a scripted server, for what aimock does not support: it sends thoughts in {@code reasoning_content}
 * instead of {@code thinking}, and has no call ids.
 */
@Timeout(60)
class OllamaChatTest {
    private static final OllamaFrames FRAMES = new OllamaFrames();

    @TempDir
    private static Path home;

    private static ScriptedServer ollama;
    private static AimockTrial trial;

    @BeforeAll
    static void start() throws Exception {
        ollama = new ScriptedServer();
        trial = AimockTrial.start(home, ollama.address().toString(), Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        ollama.close();
        trial.close();
    }

    @Test
    void thoughts_are_streamed_before_the_text_and_separately() {
        ollama.does(talk -> talk.begin()
                .send(FRAMES.thinking("Five sixes are thirty, and two more.", "It is 42."))
                .end());
        ChatClient client = trial.chatAsAdmin();
        ChatMessage message = Model.OLLAMA
                .message(trial.agent("guided"), "What is six times seven?")
                .with("thinking_tokens", Json.MAPPER.getNodeFactory().numberNode(2000));
        client.say(message);

        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(ollama.request().json().path("think").asBoolean(false)).isTrue();
        assertThat(client.said("chat:thinking-delta")).isEqualTo("Five sixes are thirty, and two more.");
        assertThat(client.said("chat:text-delta")).isEqualTo("It is 42.");
        assertThat(client.types().lastIndexOf("chat:thinking-delta"))
                .isLessThan(client.types().indexOf("chat:text-delta"));
    }

    @Test
    void the_results_of_tools_go_back_under_the_names_and_ids_of_their_calls() throws Exception {
        trial.write("one.txt", "content of one");
        trial.write("two.txt", "content of two");
        ollama.does(
                talk -> talk.begin()
                        .send(FRAMES.calls(List.of(
                                new ToolCall("call_one", "file_read", "{\"path\": \"one.txt\"}"),
                                new ToolCall("call_two", "file_read", "{\"path\": \"two.txt\"}"))))
                        .end(),
                talk -> talk.begin()
                        .send(FRAMES.text(List.of("Now I know."), new Usage(1, 1)))
                        .end());
        ChatClient client = trial.chatAsAdmin();
        ChatMessage message = Model.OLLAMA.message(trial.agent("guided"), "Read both.");
        client.say(message);
        ChatEnvelope one = client.await("chat:tool-result", "call_one");
        ChatEnvelope two = client.await("chat:tool-result", "call_two");

        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        List<JsonNode> results = ollama.request()
                .json()
                .path("messages")
                .valueStream()
                .filter(each -> each.path("role").asString().equals("tool"))
                .toList();
        assertThat(results)
                .extracting(each -> each.path("tool_call_id").asString())
                .containsExactly("call_one", "call_two");
        assertThat(results)
                .extracting(each -> each.path("tool_name").asString())
                .containsOnly("file_read");
        assertThat(results)
                .extracting(each -> each.path("content").asString())
                .containsExactly(one.text("result"), two.text("result"));
    }
}
