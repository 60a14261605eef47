package dev.toolgate.server.dialect.access;

import org.jspecify.annotations.Nullable;

/** What texts of a request must look like. */
public final class Texts {
    private Texts() {}

    /** A text of one line that is not blank and not too long. */
    public static void check(String field, String value, int longest) {
        if (value.isBlank() || value.length() > longest || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "Field '" + field + "' must be 1 to " + longest + " printable characters.");
        }
    }

    public static void checkNullable(String field, @Nullable String value, int longest) {
        if (value != null) {
            check(field, value, longest);
        }
    }
}
