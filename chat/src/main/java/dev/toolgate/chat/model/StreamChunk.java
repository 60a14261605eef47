package dev.toolgate.chat.model;

import org.jspecify.annotations.Nullable;

/** A piece of a streamed answer. The last one is an {@link End} or a {@link Broken}. */
public sealed interface StreamChunk {

    /** The answer it belongs to. */
    String messageId();

    /** Its index within the answer, from 0. */
    int index();

    /** The answer starts. */
    record Start(String messageId, int index, String model) implements StreamChunk {}

    /** Text; on the wire its type is {@code chunk}. */
    record Text(String messageId, int index, String content) implements StreamChunk {}

    /**
     * A piece of thinking.
     *
     * @param seal ends the thinking block and is kept for the next turn; the content is empty then
     */
    record Thinking(
            String messageId,
            int index,
            String content,
            @Nullable ThinkingSeal seal) implements StreamChunk {}

    /** A tool call starts. */
    record ToolCallStart(String messageId, int index, String toolId, String toolName) implements StreamChunk {}

    /** A piece of the arguments' JSON text. */
    record ToolCallDelta(String messageId, int index, String toolId, String content) implements StreamChunk {}

    /** The tool call is complete. */
    record ToolCallEnd(String messageId, int index, String toolId) implements StreamChunk {}

    /** The answer is complete. */
    record End(String messageId, int index, Usage usage, String model, StopReason stopReason) implements StreamChunk {}

    /** The answer failed; on the wire its type is {@code error}. */
    record Broken(String messageId, int index, ProviderFailure failure) implements StreamChunk {}
}
