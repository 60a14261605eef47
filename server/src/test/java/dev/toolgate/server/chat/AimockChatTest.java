package dev.toolgate.server.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Conversations from a WebSocket to a third-party model server, for each provider.
 *
 * <p>Its journal is in Chat Completions format and loses the call ids of Ollama requests, so those are tested in
 * {@link OllamaChatTest}.
 */
@Timeout(120)
class AimockChatTest {
    @TempDir
    private static Path home;

    private static Aimock models;
    private static AimockTrial trial;

    private ChatClient client;
    private String agent;

    @BeforeAll
    static void start() throws Exception {
        models = Aimock.start();
        trial = AimockTrial.start(home, models.url(), Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        models.close();
        trial.close();
    }

    @BeforeEach
    void connect() throws Exception {
        models.forget();
        client = trial.chatAsAdmin();
        agent = trial.agent("guided");
        trial.write("notice.txt", "The harbour opens at six.\n");
    }

    @ParameterizedTest
    @EnumSource
    void text_comes_in_order_and_ends(Model model) {
        ChatMessage message = model.message(agent, "Say hello.");
        client.say(message);
        ChatEnvelope end = client.awaitEnd(message.conversation());

        assertThat(end.type()).isEqualTo("chat:stream-end");
        assertThat(end.payload().path("partial").asBoolean(true)).isFalse();
        assertThat(end.text("stop_reason")).isEqualTo("finished");
        assertThat(client.await("chat:stream-start").text("model")).isEqualTo(model.id());
        assertThat(client.said("chat:text-delta")).isEqualTo("Hello! What can I do for you on this fine day?");
        assertThat(models.journal()).singleElement().satisfies(asked -> {
            assertThat(asked.path()).isEqualTo(model.place());
            assertThat(asked.tools()).containsExactlyInAnyOrderElementsOf(AimockTrial.GRANTED);
        });
    }

    // aimock uses another field name for Ollama's thoughts; see OllamaChatTest.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OLLAMA")
    void thoughts_are_streamed_before_the_text_and_separately(Model model) {
        ChatMessage message = thinking(model.message(agent, "What is six times seven?"));
        client.say(message);

        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(client.said("chat:thinking-delta")).isEqualTo("Five sixes are thirty, and two more make forty-two.");
        assertThat(client.said("chat:text-delta")).isEqualTo("It is 42.");
        List<String> types = client.types();
        assertThat(types.lastIndexOf("chat:thinking-delta")).isLessThan(types.indexOf("chat:text-delta"));
    }

    // aimock refuses, as Anthropic does, a call whose thought comes back without a signature; it accepts any signature.
    @ParameterizedTest
    @EnumSource(names = "CLAUDE")
    void a_thought_before_a_call_is_sent_back_with_its_signature(Model model) {
        ChatMessage message = thinking(model.message(agent, "Consider, then look."));
        client.say(message);

        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(client.said("chat:text-delta")).isEqualTo("At six.");
        assertThat(models.journal()).hasSize(2).allMatch(asked -> asked.status() == 200);
    }

    @ParameterizedTest
    @EnumSource
    void a_tool_result_reaches_the_model_with_its_call_id(Model model) {
        ChatMessage message = model.message(agent, "When does the harbour open?");
        client.say(message);
        ChatEnvelope result = client.await("chat:tool-result");

        assertThat(result.text("status")).isEqualTo("success");
        assertThat(result.text("result")).contains("The harbour opens at six.");
        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(client.said("chat:text-delta")).isEqualTo("I will look.It opens at six.");
        Aimock.Asked second = models.journal().getLast();
        assertThat(second.calls()).singleElement().satisfies(call -> assertThat(
                        call.at("/function/name").asString())
                .isEqualTo("file_read"));
        assertThat(second.results())
                .singleElement()
                .satisfies(back -> assertThat(back.path("content").asString()).isEqualTo(result.text("result")));
        model.checkIds(second, List.of("call_notice"), result);
        assertThat(trial.records(agent)).singleElement().satisfies(record -> assertThat(
                        record.path("tool_name").asString())
                .isEqualTo("file_read"));
    }

    @ParameterizedTest
    @EnumSource
    void the_results_of_several_tools_reach_the_model_in_its_order(Model model) throws Exception {
        for (String name : List.of("one", "two", "three")) {
            trial.write(name + ".txt", "content of " + name);
        }
        ChatMessage message = model.message(agent, "Read all three.");
        client.say(message);

        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(client.said("chat:text-delta")).isEqualTo("Now I know all three.");
        Aimock.Asked second = models.journal().getLast();
        assertThat(second.results())
                .extracting(back -> back.path("content").asString().strip())
                .containsExactly("content of one", "content of two", "content of three");
        model.checkIds(second, List.of("call_1", "call_2", "call_3"));
        assertThat(client.events().stream()
                        .filter(event -> event.type().equals("chat:tool-result"))
                        .map(event -> event.text("toolId"))
                        .distinct())
                .hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    void a_tool_without_a_grant_is_denied_and_the_model_is_told(Model model) throws Exception {
        trial.write("diary.txt", "Dear diary");
        ChatMessage message = model.message(agent, "Delete the diary.");
        client.say(message);
        ChatEnvelope result = client.await("chat:tool-result");

        assertThat(result.text("status")).isEqualTo("denied");
        assertThat(result.payload().at("/metadata/code").asString()).isEqualTo("PERMISSION_DENIED");
        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(client.said("chat:text-delta")).isEqualTo("I am not allowed to.");
        assertThat(trial.file("diary.txt")).hasContent("Dear diary");
        assertThat(client.types()).doesNotContain("chat:tool-confirm");
        assertThat(trial.records(agent)).singleElement().satisfies(record -> {
            assertThat(record.path("tool_name").asString()).isEqualTo("file_delete");
            assertThat(record.path("allowed").asBoolean(true)).isFalse();
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_long_retry_after_of_the_provider_ends_the_answer(Model model) {
        ChatMessage message = model.message(agent, "Ask too often.");
        client.say(message);
        ChatEnvelope error = client.awaitEnd(message.conversation());

        assertThat(error.type()).isEqualTo("chat:error");
        assertThat(error.text("code")).isEqualTo("rate_limited");
        assertThat(error.payload().path("retryable").asBoolean(false)).isTrue();
        assertThat(error.payload().path("retry_after_seconds").asInt()).isEqualTo(60);
        assertThat(models.journal()).singleElement().satisfies(asked -> assertThat(asked.status())
                .isEqualTo(429));
    }

    @ParameterizedTest
    @EnumSource
    void a_briefly_busy_provider_is_retried(Model model) {
        models.isBusyOnce();
        ChatMessage message = model.message(agent, "Say hello.");
        client.say(message);

        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
        assertThat(client.said("chat:text-delta")).startsWith("Hello!");
        assertThat(models.journal()).extracting(Aimock.Asked::status).containsExactly(429, 200);
    }

    @ParameterizedTest
    @EnumSource
    void a_truncated_stream_is_an_error_and_the_conversation_continues(Model model) {
        ChatMessage message = model.message(agent, "Tell a long story.");
        client.say(message);
        ChatEnvelope error = client.awaitEnd(message.conversation());

        assertThat(error.type()).isEqualTo("chat:error");
        assertThat(error.text("code")).isEqualTo("truncated");
        assertThat(client.said("chat:text-delta"))
                .startsWith("Once upon a time")
                .hasSizeLessThan(60);
        assertThat(models.journal()).singleElement().matches(Aimock.Asked::cut);
        client.say(model.message(agent, "Say hello."));
        assertThat(client.awaitEnd(message.conversation()).type()).isEqualTo("chat:stream-end");
    }

    // aimock accepts the configured key and one person's key, and hides keys in its journal.
    @ParameterizedTest
    @EnumSource
    void a_persons_own_key_is_used_and_never_logged_or_stored(Model model) {
        ChatMessage message = model.message(agent, "Say hello.");
        String wrong = "wrong-key-of-a-person-5c0ffe";
        client.say(message.with("api_key", wrong));
        ChatEnvelope refused = client.awaitEnd(message.conversation());
        client.say(message.with("api_key", Aimock.OWN_KEY));
        ChatEnvelope taken = client.awaitEnd(message.conversation());

        assertThat(refused.type()).isEqualTo("chat:error");
        assertThat(refused.text("code")).isEqualTo("unauthorised");
        assertThat(taken.type()).isEqualTo("chat:stream-end");
        assertThat(client.events().toString()).doesNotContain(wrong, Aimock.OWN_KEY, Aimock.CONFIGURED_KEY);
        assertThat(trial.server().rowsOf(RunningServer.FIRST).toString())
                .doesNotContain(wrong, Aimock.OWN_KEY, Aimock.CONFIGURED_KEY);
    }

    private static ChatMessage thinking(ChatMessage message) {
        return message.with("thinking_tokens", Json.MAPPER.getNodeFactory().numberNode(2000))
                .with("max_tokens", Json.MAPPER.getNodeFactory().numberNode(4000));
    }
}
