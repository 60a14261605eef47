package dev.toolgate.core.undo;

import dev.toolgate.core.undo.KeptState.Absent;
import dev.toolgate.core.undo.KeptState.Present;
import java.util.Arrays;
import java.util.Optional;

/** The things whose changes can be undone, and the tools that change and read them. */
public enum Subject {
    FILE("path", "file_write", "file_delete", "file_read"),
    MEMORY("key", "memory_save", "memory_delete", "memory_retrieve");

    private final String argument;
    private final String writing;
    private final String deleting;
    private final String reading;

    Subject(String argument, String writing, String deleting, String reading) {
        this.argument = argument;
        this.writing = writing;
        this.deleting = deleting;
        this.reading = reading;
    }

    /** What a tool changes; empty if its changes cannot be undone. */
    public static Optional<Subject> of(String tool) {
        return Arrays.stream(values())
                .filter(subject -> tool.equals(subject.writing) || tool.equals(subject.deleting))
                .findFirst();
    }

    /** The argument that names what is changed. */
    public String argument() {
        return argument;
    }

    /** The tool that an agent must be permitted to use to read it. */
    public String readingTool() {
        return reading;
    }

    /** The tool that restores this state. */
    public String toolFor(KeptState state) {
        return switch (state) {
            case Absent absent -> deleting;
            case Present present -> writing;
        };
    }
}
