package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ModelAnswer;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolDefinition;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** One request to a provider on its own thread, with all received chunks. */
final class Conversation {
    static final ToolDefinition READ = new ToolDefinition("file_read", "Reads a file.", schema());
    static final ToolDefinition REMOTE = new ToolDefinition("files/read it", "Reads it elsewhere.", schema());
    static final ChatRequest QUESTION = ChatRequest.of(Frames.MODEL, List.of(new Message.User("What is in it?")));

    private final List<StreamChunk> chunks = new CopyOnWriteArrayList<>();
    private final Cancellation cancellation = new Cancellation();
    private final Thread thread;

    private Conversation(Provider provider, ChatRequest request, Consumer<StreamChunk> alsoTo) {
        this.thread = Thread.ofVirtual()
                .start(() -> provider.stream(
                        request,
                        chunk -> {
                            chunks.add(chunk);
                            alsoTo.accept(chunk);
                        },
                        cancellation));
    }

    static Conversation start(Provider provider, ChatRequest request) {
        return new Conversation(provider, request, chunk -> {});
    }

    static Conversation start(Provider provider, ChatRequest request, Consumer<StreamChunk> alsoTo) {
        return new Conversation(provider, request, alsoTo);
    }

    static Conversation whole(Provider provider, ChatRequest request) {
        return start(provider, request).join();
    }

    Conversation join() {
        try {
            thread.join();
            return this;
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    boolean isOver() {
        return !thread.isAlive();
    }

    void cancel() {
        cancellation.cancel();
    }

    void interrupt() {
        thread.interrupt();
    }

    List<StreamChunk> chunks() {
        return chunks;
    }

    StreamChunk last() {
        return chunks.getLast();
    }

    ModelAnswer answer() {
        ModelAnswer answer = new ModelAnswer();
        chunks.forEach(answer::accept);
        return answer;
    }

    ProviderFailure failure() {
        return Objects.requireNonNull(answer().failure(), "The answer is whole.");
    }

    StreamChunk.End end() {
        return Objects.requireNonNull(answer().end(), () -> "The answer is not whole: " + last());
    }

    private static ObjectNode schema() {
        return (ObjectNode) Json.MAPPER.readTree("""
                {"type": "object", "properties": {"path": {"type": "string", "minLength": 1, "pattern": "^/"},
                 "encoding": {"oneOf": [{"const": "utf-8"}, {"type": "null"}], "default": "utf-8"}},
                 "required": ["path"], "additionalProperties": false, "$defs": {"x": {"type": "integer"}}}
                """);
    }
}
