package dev.toolgate.core.redact;

/** Character classes. */
enum CharClass {
    UPPER_OR_DIGIT("0-9A-Z"),
    ALPHANUMERIC("0-9A-Za-z"),
    WORD("0-9A-Za-z_"),
    NAME("0-9A-Za-z_-"),
    BASE64("0-9A-Za-z+/="),
    /** The credentials after {@code Bearer} and {@code Basic}. */
    CREDENTIAL("0-9A-Za-z+/._~=-"),
    COOKIE("0-9A-Za-z!#%*+./:=?@^_~-"),
    BLANK(" \t");

    private static final int ASCII = 128;

    @SuppressWarnings("ImmutableEnumChecker") // filled once, never handed out
    private final boolean[] members = new boolean[ASCII];

    /**
     * @param ranges characters and ranges with a dash; a trailing dash is literal
     */
    CharClass(String ranges) {
        for (int at = 0; at < ranges.length(); at++) {
            char first = ranges.charAt(at);
            boolean isRange = at + 2 < ranges.length() && ranges.charAt(at + 1) == '-';
            char last = isRange ? ranges.charAt(at + 2) : first;
            for (int letter = first; letter <= last; letter++) {
                members[letter] = true;
            }
            at += isRange ? 2 : 0;
        }
    }

    boolean has(char letter) {
        return letter < ASCII && members[letter];
    }

    /** Whether the text has a member at this position; false outside the text. */
    boolean at(String text, int place) {
        return place >= 0 && place < text.length() && has(text.charAt(place));
    }

    /** Where the run of members that begins here ends. */
    int runEnd(String text, int from, int max) {
        int limit = (int) Math.min(text.length(), (long) from + max);
        int at = from;
        while (at < limit && has(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Where the run of members that ends here begins. */
    int runStart(String text, int end, int max) {
        int limit = Math.max(0, end - max);
        int at = end;
        while (at > limit && has(text.charAt(at - 1))) {
            at--;
        }
        return at;
    }
}
