package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.ServerJson.text;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.ModelInfo;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.Cancellation;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** OpenAI's models and compatible servers, through Chat Completions. */
public final class OpenAi implements Provider {
    public static final String NAME = "openai";
    public static final URI ADDRESS = URI.create("https://api.openai.com/v1");

    private static final String LAST_EVENT = "[DONE]";

    private final ModelApi api;

    /**
     * @param address the server with its base path, usually {@code /v1}
     * @param key supplies the configured key; a self-hosted server may need none
     */
    public OpenAi(ModelHttp http, URI address, Supplier<Optional<ProviderKey>> key) {
        this.api = new ModelApi("OpenAI", http, address, key, ModelApi.BEARER);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void stream(ChatRequest request, Consumer<StreamChunk> consumer, Cancellation cancellation) {
        // OpenAI renamed the limit; compatible servers do not know the new name.
        String limit = ADDRESS.getHost().equals(api.address().getHost()) ? "max_completion_tokens" : "max_tokens";
        api.stream(
                new ModelApi.StreamRequest("/chat/completions", "text/event-stream", OpenAiRequest.of(request, limit)),
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
        for (JsonNode model : api.document("/models", own).path("data")) {
            models.add(new ModelInfo(text(model, "id"), text(model, "id")));
        }
        return models;
    }

    @Override
    public void validateCredentials(@Nullable ProviderKey own) throws ProviderFailed {
        var _ = api.document("/models", own);
    }

    /** Parses one answer: tool calls are told apart by index and complete only when all are. */
    private record Reading(ProviderToolNames names) implements AnswerReader {

        @Override
        public void read(Lines lines, ChunkEmitter out, ErrorAnswer errors) throws IOException, ProviderFailed {
            SseData events = new SseData(lines);
            State state = new State();
            for (String data = events.next(); data != null; data = events.next()) {
                if (data.strip().equals(LAST_EVENT)) {
                    out.start("", "");
                    state.endCalls(out);
                    out.end(reason(state.finish), state.usage);
                    return;
                }
                ObjectNode event = ServerJson.object(data);
                if (event.hasNonNull("error")) {
                    throw new ProviderFailed(errors.of(event.path("error")), null);
                }
                out.start(text(event, "id"), text(event, "model"));
                choice(event.path("choices").path(0), state, out);
                JsonNode usage = event.path("usage");
                if (usage.isObject()) { // sent last, without choices
                    state.usage = new Usage(
                            usage.path("prompt_tokens").asLong(0),
                            usage.path("completion_tokens").asLong(0));
                }
            }
        }

        private void choice(JsonNode choice, State state, ChunkEmitter out) throws ProviderFailed {
            JsonNode delta = choice.path("delta");
            // Not OpenAI's own: compatible servers use one of these names for thinking.
            out.thinking(delta.path("reasoning_content").asString(text(delta, "reasoning")));
            out.text(text(delta, "content"));
            out.text(text(delta, "refusal"));
            for (JsonNode piece : delta.path("tool_calls")) {
                state.call(piece, names, out);
            }
            String finish = text(choice, "finish_reason");
            if (!finish.isEmpty()) {
                state.finish = finish;
                state.endCalls(out);
            }
        }

        private static StopReason reason(String finish) {
            return switch (finish) {
                case "stop" -> StopReason.FINISHED;
                case "tool_calls", "function_call" -> StopReason.TOOL_CALLS;
                case "length" -> StopReason.LENGTH;
                case "content_filter" -> StopReason.REFUSED;
                default -> StopReason.OTHER;
            };
        }
    }

    private static final class State {
        private final Map<Integer, Call> calls = new TreeMap<>();
        private int lastIndex = -1;
        private String finish = "";
        private Usage usage = Usage.NONE;

        void call(JsonNode piece, ProviderToolNames names, ChunkEmitter out) throws ProviderFailed {
            String id = text(piece, "id");
            String name = text(piece.path("function"), "name");
            int index = piece.path("index").asInt(id.isEmpty() ? lastIndex : lastIndex + 1);
            Call call = calls.get(index);
            if (call != null && !id.isEmpty() && !id.equals(call.theirId)) {
                out.toolEnd(call.ourId); // the index is reused for a second call
                call = null;
            }
            if (call == null) {
                call = new Call(id, out.toolStart(id, names.fromProvider(name)));
                calls.put(index, call);
            }
            lastIndex = Math.max(lastIndex, index);
            JsonNode arguments = piece.path("function").path("arguments");
            out.toolDelta(call.ourId, arguments.isObject() ? arguments.toString() : arguments.asString(""));
        }

        void endCalls(ChunkEmitter out) throws ProviderFailed {
            for (Call call : calls.values()) {
                out.toolEnd(call.ourId);
            }
            calls.clear();
        }
    }

    private record Call(String theirId, String ourId) {}
}
