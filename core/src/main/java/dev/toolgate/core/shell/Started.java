package dev.toolgate.core.shell;

import java.util.List;

/** What a launcher starts. */
sealed interface Started {
    /** A program with its arguments. */
    record Command(List<Word> words) implements Started {}

    /** A command line for another shell. */
    record Line(String text) implements Started {}
}
