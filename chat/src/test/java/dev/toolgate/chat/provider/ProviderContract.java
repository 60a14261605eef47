package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.Conversation.QUESTION;
import static dev.toolgate.chat.provider.Conversation.READ;
import static dev.toolgate.chat.provider.Conversation.REMOTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.chat.model.Block;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ModelInfo;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Contract of providers: answers, failures and cancellation. */
abstract class ProviderContract extends FailureContract {

    /** The parser of an answer, for use without a network. */
    abstract AnswerReader reader(ProviderToolNames names);

    @Test
    void text_arrives_in_pieces_between_start_and_end() {
        server.does(talk -> talk.begin()
                .send(frames.text(List.of("Guten ", "Tag, ", "世界 🌍"), new Usage(12, 34)))
                .end());

        Conversation conversation = Conversation.whole(provider(), QUESTION);

        assertThat(conversation.chunks()).extracting(StreamChunk::index).containsExactly(0, 1, 2, 3, 4);
        assertThat(conversation.chunks().getFirst()).isInstanceOf(StreamChunk.Start.class);
        assertThat(conversation.chunks().stream()
                        .filter(StreamChunk.Text.class::isInstance)
                        .map(chunk -> ((StreamChunk.Text) chunk).content()))
                .containsExactly("Guten ", "Tag, ", "世界 🌍");
        assertThat(conversation.chunks().stream().map(StreamChunk::messageId).distinct())
                .hasSize(1)
                .noneMatch(String::isBlank);
        assertThat(conversation.end().usage()).isEqualTo(new Usage(12, 34));
        assertThat(conversation.end().model()).isEqualTo(Frames.MODEL);
        assertThat(conversation.end().stopReason()).isEqualTo(StopReason.FINISHED);
    }

    @Test
    void interleaved_tool_calls_are_assembled_in_order() {
        List<ToolCall> calls = List.of(
                new ToolCall("call_a", "file_read", "{\"path\":\"/a\",\"note\":\"ä\"}"),
                new ToolCall("call_b", "file_read", "{\"path\":\"/b\"}"),
                new ToolCall("call_c", "bash", "{\"command\":\"ls \\\"x\\\"\"}"));
        server.does(talk -> talk.begin().send(frames.calls(calls)).end());

        Conversation conversation = Conversation.whole(provider(), QUESTION.withTools(List.of(READ)));

        assertThat(conversation.answer().message().toolCalls()).isEqualTo(calls);
        assertThat(conversation.end().stopReason()).isEqualTo(StopReason.TOOL_CALLS);
        assertThat(conversation.chunks().stream().filter(StreamChunk.ToolCallEnd.class::isInstance))
                .hasSize(3);
    }

    @Test
    void a_call_without_arguments_has_an_empty_object() {
        List<ToolCall> calls = List.of(new ToolCall("call_a", "now", "{}"), new ToolCall("call_b", "now", "{}"));
        server.does(talk -> talk.begin().send(frames.calls(calls)).end());

        assertThat(Conversation.whole(provider(), QUESTION).answer().message().toolCalls())
                .isEqualTo(calls);
    }

    @Test
    void an_argument_of_a_megabyte_arrives_whole() {
        ToolCall call = new ToolCall("call_a", "file_write", "{\"content\":\"" + "grün\\n ".repeat(150_000) + "\"}");
        assertThat(call.input().length()).isGreaterThan(1024 * 1024);
        server.does(talk -> talk.begin().send(frames.calls(List.of(call))).end());

        assertThat(Json.MAPPER.readTree(Conversation.whole(provider(), QUESTION)
                        .answer()
                        .message()
                        .toolCalls()
                        .getFirst()
                        .input()))
                .isEqualTo(Json.MAPPER.readTree(call.input()));
    }

    @Test
    void thinking_is_separated_from_text_and_kept() {
        server.does(talk -> talk.begin()
                .send(frames.thinking("Let me see …", "Here it is."))
                .end());

        Conversation conversation = Conversation.whole(provider(), QUESTION.withThinkingTokens(2000));

        assertThat(conversation.answer().message())
                .isEqualTo(
                        new Message.Assistant(List.of(frames.thought("Let me see …"), new Block.Text("Here it is."))));
    }

    @Test
    void tool_names_are_mapped_for_the_provider_and_mapped_back() {
        server.does(talk -> {
            String sent = ProviderToolNames.toProvider(REMOTE.toolName());
            assertThat(sent).matches("[a-zA-Z0-9_-]{1,64}");
            assertThat(talk.request().body()).contains(sent).doesNotContain(REMOTE.toolName());
            talk.begin()
                    .send(frames.calls(List.of(new ToolCall("call_a", sent, "{}"))))
                    .end();
        });

        Conversation conversation = Conversation.whole(provider(), QUESTION.withTools(List.of(READ, REMOTE)));

        assertThat(conversation.answer().message().toolCalls())
                .containsExactly(new ToolCall("call_a", REMOTE.toolName(), "{}"));
    }

    @Test
    void an_answer_split_at_any_byte_is_the_same() throws Exception {
        List<String> stream = new ArrayList<>(frames.thinking("erwägen 🤔", "größer als 世界 🌍"));
        List<String> calls = frames.calls(List.of(
                new ToolCall("call_ä", "file_read", "{\"path\":\"/straße/🌍\"}"), new ToolCall("call_b", "now", "{}")));
        for (List<String> answer : List.of(stream, calls)) {
            byte[] bytes = String.join("", answer).getBytes(StandardCharsets.UTF_8);
            List<StreamChunk> whole = read(bytes, bytes.length);
            assertThat(whole.getLast()).isInstanceOf(StreamChunk.End.class);
            for (int at = 1; at < bytes.length; at++) {
                assertThat(read(bytes, at)).as("cut at byte %d", at).isEqualTo(whole);
            }
            assertThat(read(bytes, 1)).as("every byte on its own").isEqualTo(whole);
        }
    }

    // In pieces of this size, so that over all sizes every byte is a boundary.
    private List<StreamChunk> read(byte[] bytes, int piece) throws Exception {
        List<StreamChunk> chunks = new ArrayList<>();
        ChunkEmitter out = new ChunkEmitter(chunks::add, new Cancellation(), SizeLimits.DEFAULT);
        ByteArrayInputStream pieces = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int from, int length) {
                return super.read(target, from, Math.min(length, piece));
            }
        };
        reader(new ProviderToolNames(List.of()))
                .read(new Lines(pieces, 1_000_000), out, new ErrorAnswer("Test", null, () -> NOW));
        // Generated ids differ each time; everything else must not.
        return chunks.stream().map(ProviderContract::withoutMessageId).collect(Collectors.toList());
    }

    private static StreamChunk withoutMessageId(StreamChunk chunk) {
        return switch (chunk) {
            case StreamChunk.Start c -> new StreamChunk.Start("", c.index(), c.model());
            case StreamChunk.Text c -> new StreamChunk.Text("", c.index(), c.content());
            case StreamChunk.Thinking c -> new StreamChunk.Thinking("", c.index(), c.content(), c.seal());
            case StreamChunk.ToolCallStart c -> new StreamChunk.ToolCallStart("", c.index(), c.toolId(), c.toolName());
            case StreamChunk.ToolCallDelta c -> new StreamChunk.ToolCallDelta("", c.index(), c.toolId(), c.content());
            case StreamChunk.ToolCallEnd c -> new StreamChunk.ToolCallEnd("", c.index(), c.toolId());
            case StreamChunk.End c -> new StreamChunk.End("", c.index(), c.usage(), c.model(), c.stopReason());
            case StreamChunk.Broken c -> new StreamChunk.Broken("", c.index(), c.failure());
        };
    }

    @Test
    void lines_may_end_with_crlf() {
        server.does(talk -> talk.begin()
                .send(String.join("", frames.text(List.of("a", "b"), Usage.NONE))
                        .replace("\n", "\r\n"))
                .end());

        assertThat(Conversation.whole(provider(), QUESTION).answer().message().text())
                .isEqualTo("ab");
    }

    @Test
    void models_are_listed_and_a_valid_key_is_accepted() throws Exception {
        server.does(talk -> talk.say(200, frames.models()));

        assertThat(provider().listModels(null)).extracting(ModelInfo::id).containsExactly("one", "two");
        provider().validateCredentials(null);
        assertThat(keyIn(server.request())).contains(KEY);
    }

    @Test
    void plain_http_sends_no_upgrade_request() {
        server.does(
                talk -> talk.begin().send(frames.text(List.of("a"), Usage.NONE)).end());

        Conversation.whole(provider(), QUESTION);

        assertThat(server.request().line()).endsWith("HTTP/1.1");
        assertThat(server.request().headers()).doesNotContainKeys("upgrade", "http2-settings");
    }

    @Test
    void a_slow_consumer_applies_back_pressure_without_timing_out() throws Exception {
        List<String> pieces = Collections.nCopies(600, "x".repeat(50_000));
        List<String> answer = frames.text(pieces, Usage.NONE);
        AtomicInteger sent = new AtomicInteger();
        CountDownLatch proceed = new CountDownLatch(1);
        SizeLimits roomy = new SizeLimits(1_000_000, 1_000_000, 100_000_000, 10, 1_000_000);
        try (ModelHttp idleTimeout = http(roomy, idle(LONGER))) {
            server.does(
                    talk -> {
                        talk.begin();
                        for (String frame : answer) {
                            talk.send(frame);
                            sent.incrementAndGet();
                        }
                        talk.end();
                    },
                    ScriptedServer.Talk::hang);

            Conversation slow = Conversation.start(provider(idleTimeout), QUESTION, chunk -> {
                if (chunk instanceof StreamChunk.Text) {
                    waitFor(proceed);
                }
            });
            await().until(() -> slow.chunks().size() == 2);
            // While the consumer waits, another exchange with the same time-out expires.
            Conversation silent = Conversation.whole(provider(idleTimeout), QUESTION);
            assertThat(silent.failure().kind()).isEqualTo(Kind.IDLE_TIMEOUT);
            assertThat(sent.get())
                    .as("of 600 frames, those that fit into buffers")
                    .isLessThan(500);
            proceed.countDown();

            assertThat(slow.join().end().usage()).isEqualTo(Usage.NONE);
            assertThat(slow.answer().message().text()).hasSize(30_000_000);
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Test
    void an_exception_of_the_consumer_ends_the_exchange() throws IOException {
        server.does(talk -> talk.begin()
                .send(frames.text(List.of("a"), Usage.NONE).getFirst())
                .hang());

        assertThatThrownBy(() -> provider().stream(
                        QUESTION,
                        chunk -> {
                            throw new IllegalStateException("enough");
                        },
                        new Cancellation()))
                .hasMessage("enough");
        await().until(() -> server.closedByClient() == 1);
    }
}
