package dev.toolgate.store.grant;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What people may write: bounded, and such that the database gives back the very same. */
final class StoredText {
    static final int LONGEST_NAME = 200;
    private static final int LONGEST_PROSE = 2_000;

    private StoredText() {}

    /** A name: one line of printable characters. */
    static void checkName(String what, String name, int longest) {
        if (name.isBlank()
                || name.codePointCount(0, name.length()) > longest
                || name.chars().anyMatch(Character::isISOControl)
                || !isUnicode(name)) {
            throw new IllegalArgumentException(what + " must be 1 to " + longest + " printable characters.");
        }
    }

    /** Free text such as a reason or a description. */
    static void checkProse(String what, @Nullable String text) {
        if (text != null && (text.codePointCount(0, text.length()) > LONGEST_PROSE || text.indexOf('\0') >= 0 || !isUnicode(text))) {
            throw new IllegalArgumentException(
                    what + " must be at most " + LONGEST_PROSE + " characters of plain text.");
        }
    }

    private static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
