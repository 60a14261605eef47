package dev.toolgate.store.grant;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Checks user-supplied text: limited in length, and without characters that PostgreSQL cannot store. */
final class StoredText {
    static final int MAX_NAME_LENGTH = 200;
    private static final int MAX_PROSE_LENGTH = 2_000;

    private StoredText() {}

    /** A name: one line of printable characters. */
    static void checkName(String what, String name, int maxLength) {
        if (name.isBlank()
                || name.codePointCount(0, name.length()) > maxLength
                || name.chars().anyMatch(Character::isISOControl)
                || !isUnicode(name)) {
            throw new IllegalArgumentException(what + " must be 1 to " + maxLength + " printable characters.");
        }
    }

    /** Free text such as a reason or a description. */
    static void checkProse(String what, @Nullable String text) {
        if (text != null
                && (text.codePointCount(0, text.length()) > MAX_PROSE_LENGTH
                        || text.indexOf('\0') >= 0
                        || !isUnicode(text))) {
            throw new IllegalArgumentException(
                    what + " must be at most " + MAX_PROSE_LENGTH + " characters of plain text.");
        }
    }

    private static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
