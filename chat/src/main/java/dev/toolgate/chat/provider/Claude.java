package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.ServerJson.text;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.ModelInfo;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.ThinkingSeal;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.Cancellation;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Anthropic's models, through the Messages API. */
public final class Claude implements Provider {
    public static final String NAME = "claude";
    public static final URI ADDRESS = URI.create("https://api.anthropic.com");

    private static final String API_VERSION = "2023-06-01";

    private final ModelApi api;

    /**
     * @param address the server, without {@code /v1}
     * @param key supplies the configured key for every request
     */
    public Claude(ModelHttp http, URI address, Supplier<Optional<ProviderKey>> key) {
        this.api = new ModelApi("Claude", http, address, key, Claude::headers);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void stream(ChatRequest request, Consumer<StreamChunk> consumer, Cancellation cancellation) {
        api.stream(
                new ModelApi.StreamRequest("/v1/messages", "text/event-stream", ClaudeRequest.of(request)),
                request.key(),
                reader(new ProviderToolNames(request.tools())),
                consumer,
                cancellation);
    }

    static AnswerReader reader(ProviderToolNames names) {
        return new Reading(names);
    }

    @Override
    public List<ModelInfo> listModels(@Nullable ProviderKey own) throws ProviderFailed {
        List<ModelInfo> models = new ArrayList<>();
        for (JsonNode model : api.document("/v1/models?limit=1000", own).path("data")) {
            models.add(
                    new ModelInfo(text(model, "id"), model.path("display_name").asString(text(model, "id"))));
        }
        return models;
    }

    @Override
    public void validateCredentials(@Nullable ProviderKey own) throws ProviderFailed {
        var _ = api.document("/v1/models?limit=1", own);
    }

    private static HttpRequest.Builder headers(HttpRequest.Builder request, @Nullable ProviderKey key) {
        HttpRequest.Builder versioned = request.header("anthropic-version", API_VERSION);
        return key == null ? versioned : versioned.header("x-api-key", key.reveal());
    }

    /** Parses one answer: blocks are told apart by index, each with start, delta and stop events. */
    private record Reading(ProviderToolNames names) implements AnswerReader {

        @Override
        public void read(Lines lines, ChunkEmitter out, ErrorAnswer errors) throws IOException, ProviderFailed {
            SseData events = new SseData(lines);
            State state = new State();
            for (String data = events.next(); data != null; data = events.next()) {
                ObjectNode event = ServerJson.object(data);
                // The provider asks clients to ignore unknown event types.
                switch (text(event, "type")) {
                    case "message_start" -> {
                        JsonNode message = event.path("message");
                        state.count(message.path("usage"));
                        out.start(text(message, "id"), text(message, "model"));
                    }
                    case "content_block_start" -> begin(event, state, out);
                    case "content_block_delta" -> delta(event, state, out);
                    case "content_block_stop" -> end(event, state, out);
                    case "message_delta" -> {
                        state.count(event.path("usage"));
                        state.stop = event.path("delta").path("stop_reason").asString(state.stop);
                    }
                    case "message_stop" -> {
                        out.start("", "");
                        out.end(reason(state.stop), new Usage(state.input, state.output));
                    }
                    case "error" -> throw new ProviderFailed(errors.of(event.path("error")), null);
                    default -> {}
                }
                if (out.ended()) {
                    return;
                }
            }
        }

        private void begin(ObjectNode event, State state, ChunkEmitter out) throws ProviderFailed {
            out.start("", "");
            JsonNode block = event.path("content_block");
            switch (text(block, "type")) {
                case "text" -> out.text(text(block, "text"));
                case "thinking" -> {
                    out.thinking(text(block, "thinking"));
                    Thought thought = new Thought(index(event));
                    thought.sign(text(block, "signature"), out);
                    state.open = thought;
                }
                case "redacted_thinking" -> redacted(text(block, "data"), out);
                case "tool_use" ->
                    state.calls.put(
                            index(event), out.toolStart(text(block, "id"), names.fromProvider(text(block, "name"))));
                default -> {}
            }
        }

        private static void delta(ObjectNode event, State state, ChunkEmitter out) throws ProviderFailed {
            JsonNode delta = event.path("delta");
            switch (text(delta, "type")) {
                case "text_delta" -> out.text(text(delta, "text"));
                case "thinking_delta" -> out.thinking(text(delta, "thinking"));
                case "signature_delta" -> {
                    Thought thought = state.thought(index(event));
                    if (thought != null) {
                        thought.sign(text(delta, "signature"), out);
                    }
                }
                case "input_json_delta" -> {
                    String id = state.calls.get(index(event));
                    if (id != null) {
                        out.toolDelta(id, text(delta, "partial_json"));
                    }
                }
                default -> {}
            }
        }

        private static void end(ObjectNode event, State state, ChunkEmitter out) throws ProviderFailed {
            String call = state.calls.remove(index(event));
            if (call != null) {
                out.toolEnd(call);
            }
            Thought thought = state.thought(index(event));
            if (thought != null) {
                thought.seal(out);
                state.open = null;
            }
        }

        private static void redacted(String data, ChunkEmitter out) throws ProviderFailed {
            if (!data.isEmpty()) {
                out.sealPiece(data);
                out.seal(new ThinkingSeal.Redacted(data));
            }
        }

        private static int index(ObjectNode event) {
            return event.path("index").asInt(0);
        }

        private static StopReason reason(String stop) {
            return switch (stop) {
                case "end_turn", "stop_sequence" -> StopReason.FINISHED;
                case "tool_use" -> StopReason.TOOL_CALLS;
                case "max_tokens", "model_context_window_exceeded" -> StopReason.LENGTH;
                case "refusal" -> StopReason.REFUSED;
                default -> StopReason.OTHER;
            };
        }
    }

    private static final class State {
        private final Map<Integer, String> calls = new HashMap<>();
        private @Nullable Thought open; // only one: thinking blocks are sequential
        private String stop = "";
        private long input;
        private long output;

        @Nullable
        Thought thought(int index) {
            return open != null && open.index == index ? open : null;
        }

        // Counts are running totals; cache reads and writes are input too.
        void count(JsonNode usage) {
            if (usage.has("input_tokens")) {
                input = usage.path("input_tokens").asLong(0)
                        + usage.path("cache_creation_input_tokens").asLong(0)
                        + usage.path("cache_read_input_tokens").asLong(0);
            }
            output = usage.path("output_tokens").asLong(output);
        }
    }

    /** A thinking block whose signature arrives in pieces. */
    private static final class Thought {
        private final int index;
        private final StringBuilder signature = new StringBuilder();

        Thought(int index) {
            this.index = index;
        }

        void sign(String piece, ChunkEmitter out) throws ProviderFailed {
            out.sealPiece(piece);
            signature.append(piece);
        }

        void seal(ChunkEmitter out) throws ProviderFailed {
            if (!signature.isEmpty()) {
                out.seal(new ThinkingSeal.Signature(signature.toString()));
            }
        }
    }
}
