package dev.toolgate.chat.provider;

import static dev.toolgate.chat.provider.ServerJson.text;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.ModelInfo;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.Cancellation;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Ollama's models, through its native API: one JSON object per line, complete tool calls. */
public final class Ollama implements Provider {
    public static final String NAME = "ollama";
    public static final URI ADDRESS = URI.create("http://127.0.0.1:11434");

    private final ModelApi api;

    /**
     * @param address the server, as parsed by {@link OllamaHost}
     * @param key supplies the configured key; only a hosted Ollama needs one
     */
    public Ollama(ModelHttp http, URI address, Supplier<Optional<ProviderKey>> key) {
        this.api = new ModelApi("Ollama", http, address, key, ModelApi.BEARER);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void stream(ChatRequest request, Consumer<StreamChunk> consumer, Cancellation cancellation) {
        api.stream(
                new ModelApi.StreamRequest("/api/chat", "application/x-ndjson", OllamaRequest.of(request)),
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
        for (JsonNode model : api.document("/api/tags", own).path("models")) {
            String name = text(model, "name");
            models.add(new ModelInfo(model.path("model").asString(name), name));
        }
        return models;
    }

    @Override
    public void validateCredentials(@Nullable ProviderKey own) throws ProviderFailed {
        var _ = api.document("/api/tags", own);
    }

    private record Reading(ProviderToolNames names) implements AnswerReader {

        @Override
        public void read(Lines lines, ChunkEmitter out, ErrorAnswer errors) throws IOException, ProviderFailed {
            boolean called = false;
            for (ObjectNode line = ServerJson.next(lines); line != null; line = ServerJson.next(lines)) {
                if (line.hasNonNull("error")) {
                    throw new ProviderFailed(errors.of(line.path("error")), null);
                }
                out.start("", text(line, "model"));
                JsonNode message = line.path("message");
                out.thinking(text(message, "thinking"));
                out.text(text(message, "content"));
                for (JsonNode call : message.path("tool_calls")) {
                    call(call, out);
                    called = true;
                }
                if (line.path("done").asBoolean(false)) {
                    Usage usage = new Usage(
                            line.path("prompt_eval_count").asLong(0),
                            line.path("eval_count").asLong(0));
                    out.end(called ? StopReason.TOOL_CALLS : reason(text(line, "done_reason")), usage);
                    return;
                }
            }
        }

        // Older versions send no ids; the emitter then creates them.
        private void call(JsonNode call, ChunkEmitter out) throws ProviderFailed {
            JsonNode function = call.path("function");
            JsonNode arguments = function.path("arguments");
            String id = out.toolStart(text(call, "id"), names.fromProvider(text(function, "name")));
            out.toolDelta(
                    id,
                    arguments.isString()
                            ? arguments.stringValue()
                            : arguments.isContainer() ? arguments.toString() : ToolCall.NO_ARGUMENTS);
            out.toolEnd(id);
        }

        private static StopReason reason(String done) {
            return switch (done) {
                case "stop" -> StopReason.FINISHED;
                case "length" -> StopReason.LENGTH;
                default -> StopReason.OTHER;
            };
        }
    }
}
