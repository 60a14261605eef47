package dev.toolgate.chat.model;

import org.jspecify.annotations.Nullable;

/** One part of a model's message, in order. */
public sealed interface Block permits Block.Text, Block.Thinking, Block.RedactedThinking, ToolCall {

    /** Text for the reader. */
    record Text(String text) implements Block {}

    /**
     * The model's thinking.
     *
     * @param signature the provider's signature, which must be returned unchanged
     */
    record Thinking(String text, @Nullable String signature) implements Block {}

    /** Encrypted thinking that must be returned to the provider unchanged. */
    record RedactedThinking(String data) implements Block {}
}
