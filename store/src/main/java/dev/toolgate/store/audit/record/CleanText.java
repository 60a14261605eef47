package dev.toolgate.store.audit.record;

import org.jspecify.annotations.Nullable;

/**
 * Replaces characters that PostgreSQL cannot store: NUL and unpaired surrogates. One record that
 * cannot be stored would fail the whole batch it shares with others.
 */
public final class CleanText {
    private static final char REPLACEMENT = '\uFFFD';

    private CleanText() {}

    /** The cleaned text, truncated to the given number of characters. */
    static String of(String text, int maxLength) {
        return clean(text.length() <= maxLength ? text : text.substring(0, maxLength));
    }

    static @Nullable String ofNullable(@Nullable String text, int maxLength) {
        return text == null ? null : of(text, maxLength);
    }

    public static String clean(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isSurrogate(c)) {
                return replace(text);
            }
        }
        return text;
    }

    private static String replace(String text) {
        StringBuilder cleaned = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> point == 0 || isLoneSurrogate(point) ? REPLACEMENT : point)
                .forEach(cleaned::appendCodePoint);
        return cleaned.toString();
    }

    private static boolean isLoneSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
