package dev.toolgate.core.shell;

import java.util.List;

/** What a command starts in its turn. */
sealed interface Started {
    /** A program with its arguments. */
    record Command(List<Word> words) implements Started {}

    /** A line for another shell. */
    record Line(String text) implements Started {}
}
