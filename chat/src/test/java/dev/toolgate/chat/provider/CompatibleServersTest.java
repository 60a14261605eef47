package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.Conversation.QUESTION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.ToolCall;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers that are almost compatible with OpenAI. */
class CompatibleServersTest {
    private final ScriptedServer server = new ScriptedServer();
    private final ModelHttp http = new ModelHttp();
    private final OpenAi client = new OpenAi(http, URI.create(server.address() + "/some/v1/"), Optional::empty);

    @AfterEach
    void close() throws IOException {
        server.close();
        http.close();
    }

    private Conversation answering(String... deltas) {
        server.does(talk -> {
            talk.begin();
            for (String delta : deltas) {
                talk.send("data: {\"choices\":[{\"delta\":" + delta + "}]}\n\n");
            }
            talk.send("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n");
            talk.end();
        });
        return Conversation.whole(client, QUESTION.withMaxTokens(9));
    }

    private static String piece(String fields) {
        return "{\"tool_calls\":[{" + fields + "}]}";
    }

    @Test
    void key_id_and_model_may_be_missing() {
        Conversation conversation = answering("{\"content\":\"Hello.\"}");

        assertThat(conversation.answer().message().text()).isEqualTo("Hello.");
        assertThat(conversation.end().messageId()).isNotBlank();
        assertThat(conversation.end().stopReason()).isEqualTo(StopReason.TOOL_CALLS);
        assertThat(server.request().line()).startsWith("POST /some/v1/chat/completions ");
        assertThat(server.request().headers()).doesNotContainKey("authorization");
        assertThat(server.request().json().path("max_tokens").intValue()).isEqualTo(9);
    }

    @Test
    void calls_without_an_index_are_separated_by_id() {
        Conversation conversation = answering(
                piece("\"id\":\"a\",\"function\":{\"name\":\"one\",\"arguments\":\"{\\\"x\\\":\"}"),
                piece("\"function\":{\"arguments\":\"1}\"}"),
                piece("\"id\":\"b\",\"function\":{\"name\":\"two\",\"arguments\":{\"y\":2}}"));

        assertThat(conversation.answer().message().toolCalls())
                .containsExactly(new ToolCall("a", "one", "{\"x\":1}"), new ToolCall("b", "two", "{\"y\":2}"));
    }

    @Test
    void two_calls_with_one_index_are_separated_by_id() {
        Conversation conversation = answering(
                piece("\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"one\",\"arguments\":\"{}\"}"),
                piece("\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"two\",\"arguments\":\"{}\"}"));

        assertThat(conversation.answer().message().toolCalls())
                .containsExactly(new ToolCall("a", "one", "{}"), new ToolCall("b", "two", "{}"));
    }

    @Test
    void thinking_may_have_another_field_name() {
        assertThat(answering("{\"reasoning\":\"Hm.\"}", "{\"content\":\"Hello.\"}")
                        .answer()
                        .message())
                .isEqualTo(new Message.Assistant(List.of(new Block.Thinking("Hm.", null), new Block.Text("Hello."))));
    }

    @Test
    void an_error_in_the_stream_may_carry_a_status() {
        server.does(talk -> talk.begin()
                .send("data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n")
                .send("data: {\"error\":{\"message\":\"Slow down.\",\"code\":429}}\n\n")
                .end());

        assertThat(Conversation.whole(client, QUESTION).failure().kind()).isEqualTo(Kind.RATE_LIMITED);
    }

    @Test
    void a_closed_client_is_unavailable() {
        http.close();

        assertThat(Conversation.whole(client, QUESTION).failure().kind()).isEqualTo(Kind.UNAVAILABLE);
    }
}
