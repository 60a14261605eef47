package dev.toolgate.server.door;

import org.jspecify.annotations.Nullable;

/** Validates texts of a request. */
public final class TextFields {
    private TextFields() {}

    /** Checks for a single line that is not blank and not too long. */
    public static void check(String field, String value, int maxLength) {
        if (!isFit(value, maxLength)) {
            throw unfit("Field '" + field + "'", maxLength);
        }
    }

    /** The same, with a name for the message. */
    static void checkAs(String what, String value, int maxLength) {
        if (!isFit(value, maxLength)) {
            throw unfit(what, maxLength);
        }
    }

    private static IllegalArgumentException unfit(String what, int maxLength) {
        return new IllegalArgumentException(what + " must be 1 to " + maxLength + " printable characters.");
    }

    private static boolean isFit(String value, int maxLength) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return false;
            }
        }
        return !value.isBlank() && value.codePointCount(0, value.length()) <= maxLength;
    }

    public static void checkNullable(String field, @Nullable String value, int maxLength) {
        if (value != null) {
            check(field, value, maxLength);
        }
    }
}
