package dev.toolgate.server.door;

import org.jspecify.annotations.Nullable;

/** What texts of a request must look like. */
public final class TextFields {
    private TextFields() {}

    /** A text of one line that is not blank and not too long. */
    public static void check(String field, String value, int longest) {
        checkAs("Field '" + field + "'", value, longest);
    }

    /** The same for something that people call by this name. */
    static void checkAs(String what, String value, int longest) {
        if (value.isBlank()
                || value.codePointCount(0, value.length()) > longest
                || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(what + " must be 1 to " + longest + " printable characters.");
        }
    }

    public static void checkNullable(String field, @Nullable String value, int longest) {
        if (value != null) {
            check(field, value, longest);
        }
    }
}
