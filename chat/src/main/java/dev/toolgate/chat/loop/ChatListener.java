package dev.toolgate.chat.loop;

/**
 * Hears what happens in a conversation, one event at a time and in order, though not always on the same thread.
 * Model and tools wait while it listens, so it must not wait for a slow reader itself.
 */
@FunctionalInterface
public interface ChatListener {
    /** Takes the next event. */
    void on(ChatEvent event);
}
