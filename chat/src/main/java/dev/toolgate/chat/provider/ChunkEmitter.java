package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.chat.model.ThinkingSeal;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.Cancellation;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** Numbers the chunks of one answer and passes them on, within the size limits and until cancelled. */
final class ChunkEmitter {
    private final Consumer<StreamChunk> consumer;
    private final Cancellation cancellation;
    private final SizeLimits limits;
    private final Map<String, Integer> argumentSizes = new HashMap<>();
    private String messageId = "";
    private String model = "";
    private int index;
    private int size;
    private boolean ended;

    ChunkEmitter(Consumer<StreamChunk> consumer, Cancellation cancellation, SizeLimits limits) {
        this.consumer = consumer;
        this.cancellation = cancellation;
        this.limits = limits;
    }

    /** Whether anything was sent. */
    boolean started() {
        return index > 0;
    }

    boolean ended() {
        return ended;
    }

    /** Starts the answer, once. */
    void start(String givenId, String givenModel) throws ProviderFailed {
        if (!givenModel.isEmpty()) {
            model = givenModel;
        }
        if (!started()) {
            messageId = givenId.isEmpty() ? "msg_" + freshId() : givenId;
            send(new StreamChunk.Start(messageId, index, model));
        }
    }

    void text(String content) throws ProviderFailed {
        if (!content.isEmpty()) {
            count(content);
            send(new StreamChunk.Text(messageId, index, content));
        }
    }

    void thinking(String content) throws ProviderFailed {
        if (!content.isEmpty()) {
            count(content);
            send(new StreamChunk.Thinking(messageId, index, content, null));
        }
    }

    /** Counts a piece of a seal, which is sent only when complete. */
    void sealPiece(String piece) throws ProviderFailed {
        count(piece);
    }

    /** Ends a thinking block; the pieces of its seal have been counted. */
    void seal(ThinkingSeal seal) throws ProviderFailed {
        send(new StreamChunk.Thinking(messageId, index, "", seal));
    }

    /** Starts a tool call and returns its id, which is new if the given one is blank or already used. */
    String toolStart(String givenId, String name) throws ProviderFailed {
        if (argumentSizes.size() == limits.toolCalls()) {
            throw tooLarge("calls more than " + limits.toolCalls() + " tools at once");
        }
        String id = givenId.isBlank() || argumentSizes.containsKey(givenId) ? "call_" + freshId() : givenId;
        argumentSizes.put(id, 0);
        count(id);
        count(name);
        send(new StreamChunk.ToolCallStart(messageId, index, id, name));
        return id;
    }

    void toolDelta(String id, String content) throws ProviderFailed {
        if (!content.isEmpty()) {
            count(content);
            if (argumentSizes.merge(id, content.length(), Integer::sum) > limits.argument()) {
                throw tooLarge("has arguments of more than " + limits.argument() + " characters for one tool");
            }
            send(new StreamChunk.ToolCallDelta(messageId, index, id, content));
        }
    }

    void toolEnd(String id) throws ProviderFailed {
        send(new StreamChunk.ToolCallEnd(messageId, index, id));
    }

    void end(StopReason reason, Usage usage) throws ProviderFailed {
        send(new StreamChunk.End(messageId, index, usage, model, reason));
        ended = true;
    }

    /** Ends the answer with a failure. */
    void error(ProviderFailure failure) {
        consumer.accept(new StreamChunk.Broken(messageId, index, failure));
    }

    private void send(StreamChunk chunk) throws ProviderFailed {
        if (cancellation.isCancelled()) {
            throw new ProviderFailed(Kind.CANCELLED, "The answer was cancelled.");
        }
        index++;
        consumer.accept(chunk);
    }

    private void count(String content) throws ProviderFailed {
        size += content.length();
        if (size > limits.answer()) {
            throw tooLarge("is longer than " + limits.answer() + " characters");
        }
    }

    private static ProviderFailed tooLarge(String how) {
        return new ProviderFailed(Kind.TOO_LARGE, "The answer was ended because it " + how + ".");
    }

    private static String freshId() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
