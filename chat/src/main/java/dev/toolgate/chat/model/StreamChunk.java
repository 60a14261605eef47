package dev.toolgate.chat.model;

import org.jspecify.annotations.Nullable;

/** A piece of a model's answer, as it arrives. The last one is an {@link End} or an {@link Broken}. */
public sealed interface StreamChunk {

    /** The answer this is a piece of. */
    String messageId();

    /** The number of this piece within its answer, from 0. */
    int index();

    /** The model begins to answer. */
    record Start(String messageId, int index, String model) implements StreamChunk {}

    /** Words for the reader; on the wire its type is {@code chunk}. */
    record Text(String messageId, int index, String content) implements StreamChunk {}

    /**
     * A piece of a thought.
     *
     * @param seal closes the thought, and is kept for the next turn; the content is empty then
     */
    record Thinking(
            String messageId,
            int index,
            String content,
            @Nullable ThinkingSeal seal) implements StreamChunk {}

    /** The model begins to call a tool. */
    record ToolCallStart(String messageId, int index, String toolId, String toolName) implements StreamChunk {}

    /** A piece of the JSON text of the arguments. */
    record ToolCallDelta(String messageId, int index, String toolId, String content) implements StreamChunk {}

    /** The call is whole. */
    record ToolCallEnd(String messageId, int index, String toolId) implements StreamChunk {}

    /** The answer is whole. */
    record End(String messageId, int index, Usage usage, String model, StopReason stopReason) implements StreamChunk {}

    /** The answer will not become whole; on the wire its type is {@code error}. */
    record Broken(String messageId, int index, ProviderFailure failure) implements StreamChunk {}
}
