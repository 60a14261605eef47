package dev.toolgate.chat.model;

import org.jspecify.annotations.Nullable;

/** One part of what a model said, in the order it said it. */
public sealed interface Block permits Block.Text, Block.Thinking, Block.RedactedThinking, ToolCall {

    /** Words for the reader. */
    record Text(String text) implements Block {}

    /**
     * What the model thought before it answered.
     *
     * @param signature the provider's proof that the thought is its own; it must come back unchanged
     */
    record Thinking(String text, @Nullable String signature) implements Block {}

    /** A thought that the provider shows to nobody but wants back unchanged. */
    record RedactedThinking(String data) implements Block {}
}
