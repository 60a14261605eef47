package dev.toolgate.chat.loop;

/**
 * Receives the events of a conversation, one at a time and in order, on varying threads. It blocks model and tools, so
 * it must not wait for a slow reader.
 */
@FunctionalInterface
public interface ChatListener {
    /** Takes the next event. */
    void on(ChatEvent event);
}
