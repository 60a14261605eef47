package dev.toolgate.server.upstream;

import java.util.Locale;

/**
 * A part of a tool's definition that may be meant for the model rather than for people.
 *
 * @param where a JSON pointer into the definition
 * @param excerpt the text there, with invisible characters written as {@code <U+200B>}
 */
public record ScanFinding(Kind kind, String where, String excerpt) {
    /** What was found. */
    public enum Kind {
        /** Characters that people do not see: zero-width, direction marks, tags, other controls. */
        HIDDEN_CHARACTERS,
        /** Words that tell a model what to do, beyond saying what the tool does. */
        INSTRUCTION,
        /** A link that could exfiltrate data in its parameters. */
        LINK_WITH_DATA;

        /** The name as it is sent. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
