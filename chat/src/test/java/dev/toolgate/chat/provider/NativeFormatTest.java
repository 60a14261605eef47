package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.Conversation.QUESTION;
import static dev.toolgate.chat.provider.Conversation.READ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The native format of each provider: AC-25 to AC-28 of the specification, and the requests of the next turn. */
class NativeFormatTest {
    private static final List<ToolCall> CALLS =
            List.of(new ToolCall("call_1", "file_read", "{\"path\":\"/a\"}"), new ToolCall("call_2", "now", "{}"));
    private static final ChatRequest NEXT_TURN = QUESTION.withMessages(List.of(
                    new Message.User("Look."),
                    new Message.Assistant(List.of(
                            new Block.Thinking("Hm.", "sig"),
                            new Block.RedactedThinking("b3BhcXVl"),
                            new Block.Text("I look."),
                            CALLS.get(0),
                            CALLS.get(1))),
                    new Message.Tool("call_1", "file_read", "content", Message.Status.SUCCESS),
                    new Message.Tool("call_2", "now", "too late", Message.Status.ERROR)))
            .withSystemPrompt("Be brief.")
            .withMaxTokens(5000)
            .withTools(List.of(READ));

    private final ScriptedServer server = new ScriptedServer();
    private final ModelHttp http = new ModelHttp();
    private final Provider claude = new Claude(http, server.address(), NativeFormatTest::key);
    private final Provider openAi = new OpenAi(http, server.address(), NativeFormatTest::key);
    private final Provider ollama = new Ollama(http, server.address(), Optional::empty);

    private static Optional<ProviderKey> key() {
        return Optional.of(ProviderKey.of("key-of-the-server"));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        http.close();
    }

    private List<StreamChunk> callsOf(Provider provider, Frames frames) {
        server.does(talk -> talk.begin().send(frames.calls(CALLS)).end());
        return Conversation.whole(provider, QUESTION.withTools(List.of(READ))).chunks();
    }

    private JsonNode sentBy(Provider provider, Frames frames, ChatRequest request) {
        server.does(talk ->
                talk.begin().send(frames.text(List.of("ok"), Usage.NONE)).end());
        assertThat(Conversation.whole(provider, request).last()).isInstanceOf(StreamChunk.End.class);
        return server.request().json();
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }

    @Test
    void ac_25_a_tool_use_block_of_claude_becomes_start_delta_and_end() {
        assertThat(callsOf(claude, new ClaudeFrames()))
                .containsSubsequence(
                        new StreamChunk.ToolCallStart("msg_1", 1, "call_1", "file_read"),
                        new StreamChunk.ToolCallStart("msg_1", 2, "call_2", "now"),
                        new StreamChunk.ToolCallDelta("msg_1", 3, "call_1", "{\"path"),
                        new StreamChunk.ToolCallDelta("msg_1", 4, "call_1", "\":\"/a\"}"),
                        new StreamChunk.ToolCallEnd("msg_1", 5, "call_1"),
                        new StreamChunk.ToolCallEnd("msg_1", 6, "call_2"));
    }

    @Test
    void ac_26_tool_calls_in_a_delta_of_openai_become_the_same_chunks() {
        assertThat(callsOf(openAi, new OpenAiFrames()))
                .containsSubsequence(
                        new StreamChunk.ToolCallStart("chatcmpl-1", 1, "call_1", "file_read"),
                        new StreamChunk.ToolCallStart("chatcmpl-1", 2, "call_2", "now"),
                        new StreamChunk.ToolCallDelta("chatcmpl-1", 3, "call_1", "{\"path"),
                        new StreamChunk.ToolCallDelta("chatcmpl-1", 4, "call_1", "\":\"/a\"}"),
                        new StreamChunk.ToolCallEnd("chatcmpl-1", 5, "call_1"),
                        new StreamChunk.ToolCallEnd("chatcmpl-1", 6, "call_2"));
    }

    @Test
    void ac_27_tool_calls_of_ollama_become_start_one_delta_and_end() {
        List<StreamChunk> chunks = callsOf(ollama, new OllamaFrames());
        String id = chunks.getFirst().messageId();

        assertThat(chunks)
                .containsSubsequence(
                        new StreamChunk.ToolCallStart(id, 1, "call_1", "file_read"),
                        new StreamChunk.ToolCallDelta(id, 2, "call_1", "{\"path\":\"/a\"}"),
                        new StreamChunk.ToolCallEnd(id, 3, "call_1"),
                        new StreamChunk.ToolCallStart(id, 4, "call_2", "now"),
                        new StreamChunk.ToolCallDelta(id, 5, "call_2", "{}"),
                        new StreamChunk.ToolCallEnd(id, 6, "call_2"));
    }

    @Test
    void ac_28_claude_gets_unchanged_schemas_and_results_in_one_message() {
        JsonNode sent = sentBy(claude, new ClaudeFrames(), NEXT_TURN.withThinkingTokens(2000));

        assertThat(server.request().line()).startsWith("POST /v1/messages ");
        assertThat(server.request().headers())
                .containsEntry("anthropic-version", "2023-06-01")
                .containsEntry("x-api-key", "key-of-the-server");
        assertThat(sent.at("/tools/0/name").stringValue()).isEqualTo("file_read");
        assertThat(sent.at("/tools/0/input_schema")).isEqualTo(READ.inputSchema());
        assertThat(sent.path("system").stringValue()).isEqualTo("Be brief.");
        assertThat(sent.path("max_tokens").intValue()).isEqualTo(5000);
        assertThat(sent.path("thinking")).isEqualTo(json("{\"type\":\"enabled\",\"budget_tokens\":2000}"));
        assertThat(sent.path("messages")).isEqualTo(json("""
                [{"role": "user", "content": "Look."},
                 {"role": "assistant", "content": [
                   {"type": "thinking", "thinking": "Hm.", "signature": "sig"},
                   {"type": "redacted_thinking", "data": "b3BhcXVl"},
                   {"type": "text", "text": "I look."},
                   {"type": "tool_use", "id": "call_1", "name": "file_read", "input": {"path": "/a"}},
                   {"type": "tool_use", "id": "call_2", "name": "now", "input": {}}]},
                 {"role": "user", "content": [
                   {"type": "tool_result", "tool_use_id": "call_1", "content": "content"},
                   {"type": "tool_result", "tool_use_id": "call_2", "content": "too late", "is_error": true}]}]
                """));
    }

    @Test
    void ac_28_openai_gets_tools_as_functions_and_results_as_messages() {
        JsonNode sent = sentBy(openAi, new OpenAiFrames(), NEXT_TURN);

        assertThat(server.request().line()).startsWith("POST /chat/completions ");
        assertThat(server.request().headers()).containsEntry("authorization", "Bearer key-of-the-server");
        assertThat(sent.at("/tools/0/type").stringValue()).isEqualTo("function");
        assertThat(sent.at("/tools/0/function/name").stringValue()).isEqualTo("file_read");
        assertThat(sent.at("/tools/0/function/parameters")).isEqualTo(READ.inputSchema());
        assertThat(sent.at("/stream_options/include_usage").booleanValue()).isTrue();
        assertThat(sent.path("max_tokens").intValue()).isEqualTo(5000);
        assertThat(sent.path("messages")).isEqualTo(json("""
                [{"role": "system", "content": "Be brief."},
                 {"role": "user", "content": "Look."},
                 {"role": "assistant", "content": "I look.", "tool_calls": [
                   {"id": "call_1", "type": "function",
                    "function": {"name": "file_read", "arguments": "{\\"path\\":\\"/a\\"}"}},
                   {"id": "call_2", "type": "function", "function": {"name": "now", "arguments": "{}"}}]},
                 {"role": "tool", "tool_call_id": "call_1", "content": "content"},
                 {"role": "tool", "tool_call_id": "call_2", "content": "too late"}]
                """));
    }

    @Test
    void ac_28_ollama_gets_tools_as_functions_and_results_with_tool_names() {
        JsonNode sent = sentBy(ollama, new OllamaFrames(), NEXT_TURN.withThinkingTokens(1));

        assertThat(server.request().line()).startsWith("POST /api/chat ");
        assertThat(server.request().headers()).doesNotContainKey("authorization");
        assertThat(sent.at("/tools/0/function/parameters")).isEqualTo(READ.inputSchema());
        assertThat(sent.at("/options/num_predict").intValue()).isEqualTo(5000);
        assertThat(sent.path("think").booleanValue()).isTrue();
        assertThat(sent.path("messages")).isEqualTo(json("""
                [{"role": "system", "content": "Be brief."},
                 {"role": "user", "content": "Look."},
                 {"role": "assistant", "content": "I look.", "thinking": "Hm.", "tool_calls": [
                   {"id": "call_1", "function": {"name": "file_read", "arguments": {"path": "/a"}}},
                   {"id": "call_2", "function": {"name": "now", "arguments": {}}}]},
                 {"role": "tool", "content": "content", "tool_name": "file_read", "tool_call_id": "call_1"},
                 {"role": "tool", "content": "too late", "tool_name": "now", "tool_call_id": "call_2"}]
                """));
    }

    @Test
    void the_last_turn_forbids_tools_for_claude_and_omits_them_for_others() {
        ChatRequest inWords = NEXT_TURN.withoutToolUse();

        JsonNode toClaude = sentBy(claude, new ClaudeFrames(), inWords);
        assertThat(toClaude.path("tools").size())
                .as("a history with calls requires them")
                .isEqualTo(1);
        assertThat(toClaude.at("/tool_choice/type").stringValue()).isEqualTo("none");
        assertThat(sentBy(openAi, new OpenAiFrames(), inWords).has("tools")).isFalse();
        assertThat(sentBy(ollama, new OllamaFrames(), inWords).has("tools")).isFalse();
    }

    @Test
    void tools_in_the_history_are_declared_to_claude_even_if_none_are_offered() {
        JsonNode sent = sentBy(claude, new ClaudeFrames(), NEXT_TURN.withTools(List.of()));

        assertThat(sent.path("tools").valueStream().map(tool -> tool.path("name")
                        .stringValue()))
                .containsExactly("file_read", "now");
        assertThat(sent.at("/tool_choice/type").stringValue()).isEqualTo("none");
    }

    @Test
    void arguments_that_are_not_json_do_not_break_the_next_request() {
        ChatRequest broken = QUESTION.withMessages(List.of(
                new Message.User("Look."),
                new Message.Assistant(List.of(new ToolCall("call_1", "now", "{\"a\":"))),
                new Message.Tool("call_1", "now", "not JSON", Message.Status.ERROR)));

        assertThat(sentBy(claude, new ClaudeFrames(), broken).at("/messages/1/content/0/input"))
                .isEqualTo(json("{}"));
        assertThat(sentBy(ollama, new OllamaFrames(), broken).at("/messages/1/tool_calls/0/function/arguments"))
                .isEqualTo(json("{}"));
        assertThat(sentBy(openAi, new OpenAiFrames(), broken)
                        .at("/messages/1/tool_calls/0/function/arguments")
                        .stringValue())
                .isEqualTo("{\"a\":");
    }

    @Test
    void cached_tokens_of_claude_are_input_too() {
        server.does(talk -> talk.begin()
                .send("data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"model\":\"x\",\"usage\":{"
                        + "\"input_tokens\":1,\"cache_creation_input_tokens\":20,\"cache_read_input_tokens\":300,"
                        + "\"output_tokens\":1}}}\n\n")
                .send("data: {\"type\":\"something_new\"}\n\ndata: {\"type\":\"message_stop\"}\n\n")
                .end());

        assertThat(Conversation.whole(claude, QUESTION).end().usage()).isEqualTo(new Usage(321, 1));
    }
}
