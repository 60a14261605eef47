package dev.toolgate.chat.model;

/** What a provider attaches to thinking and requires back with it. */
public sealed interface ThinkingSeal {

    /** A signature of the thinking so far. */
    record Signature(String value) implements ThinkingSeal {}

    /** The complete thinking, encrypted by the provider. */
    record Redacted(String data) implements ThinkingSeal {}
}
