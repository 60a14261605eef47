package dev.toolgate.chat.model;

/** What a provider attaches to a thought and wants back with it. */
public sealed interface ThinkingSeal {

    /** The thought so far is the model's own. */
    record Signature(String value) implements ThinkingSeal {}

    /** The whole thought, readable to the provider only. */
    record Redacted(String data) implements ThinkingSeal {}
}
