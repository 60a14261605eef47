package dev.toolgate.store.audit.record;

import org.jspecify.annotations.Nullable;

/**
 * Makes any text storable: PostgreSQL knows neither NUL nor half a surrogate pair. One record that
 * cannot be stored would fail the batch it shares with others, so nothing unstorable gets that far.
 */
public final class CleanText {
    private static final char REPLACEMENT = '\uFFFD';

    private CleanText() {}

    /** The text without unstorable characters, cut to the given number of characters. */
    static String of(String text, int longest) {
        return clean(text.length() <= longest ? text : text.substring(0, longest));
    }

    static @Nullable String ofNullable(@Nullable String text, int longest) {
        return text == null ? null : of(text, longest);
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
