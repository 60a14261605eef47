package dev.toolgate.chat.loop;

import org.jspecify.annotations.Nullable;

/** Hears how a tool call is getting on. */
public interface ToolProgress {
    /** A person has to be asked first. */
    void asks(String reason, @Nullable String preview);

    /** The tool runs now. Said by whoever knows that nobody has to be asked, or that the answer was yes. */
    void starts();

    /** The tool has put something out. */
    void puts(String text);
}
