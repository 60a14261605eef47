package dev.toolgate.core.redact;

/**
 * Masks the body of a private key between its BEGIN and END lines. Only base64 in the shape of a key is masked, so that
 * a BEGIN line cannot be used to hide other text.
 */
final class PrivateKeyBlock {
    /** Longer than the largest RSA key in use. */
    private static final int MAX_LENGTH = 16 * 1024;
    /** Every line of a key except the last is longer. */
    private static final int FULL_LINE = 40;

    private static final int MAX_LABEL_LENGTH = 60;
    private static final int DASHES = 5;
    private static final int HEADERS = 4;
    private static final int MAX_HEADER_LENGTH = 100;
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";

    private final String text;
    private int at;
    private int fullLines;

    private PrivateKeyBlock(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /**
     * @param afterBegin the end of what may be a BEGIN line
     */
    static void find(String text, int afterBegin, Masks masks) {
        int label = afterBegin - DASHES;
        int limit = Math.max(0, label - MAX_LABEL_LENGTH);
        while (label > limit
                && (text.charAt(label - 1) == ' ' || CharClass.UPPER_OR_DIGIT.has(text.charAt(label - 1)))) {
            label--;
        }
        // The run of capitals includes the word BEGIN, up to its dashes.
        if (text.startsWith(BEGIN, label - DASHES)) {
            new PrivateKeyBlock(text, afterBegin).body(masks);
        }
    }

    private void body(Masks masks) {
        skipHeaders();
        skipLineEnds();
        int start = at;
        int end = start;
        while (at - start < MAX_LENGTH) {
            int lineEnd = CharClass.BASE64.runEnd(text, at, MAX_LENGTH - (at - start));
            if (lineEnd == at || !isLineOfKey(at, lineEnd)) {
                break;
            }
            end = lineEnd;
            at = lineEnd;
            skipLineEnds();
        }
        masks.add(start, end);
    }

    private boolean isLineOfKey(int start, int end) {
        Mix mix = Mix.of(text, start, end);
        if (end - start >= FULL_LINE) {
            fullLines++;
            return mix.upper() && mix.lower() && mix.digit();
        }
        // A short line is the last of a key; a truncated key ends with the text.
        return text.charAt(start) != '/' && (mix.digit() || fullLines > 0) && isFollowedByEnd(end);
    }

    private boolean isFollowedByEnd(int lineEnd) {
        int before = at;
        at = lineEnd;
        skipLineEnds();
        int next = at;
        at = before;
        // The checksum of an OpenPGP key is a line of its own.
        int checksum = text.startsWith("=", next) ? CharClass.BASE64.runEnd(text, next, 5) : next;
        return next == text.length() || text.startsWith(END, next) || checksum > next;
    }

    private void skipLineEnds() {
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith("\\n", at) || text.startsWith("\\r", at)) {
                at += 2;
            } else {
                return;
            }
        }
    }

    // Headers are not secret and stay: Proc-Type, DEK-Info, Version, Comment.
    private void skipHeaders() {
        for (int header = 0; header < HEADERS; header++) {
            int before = at;
            skipLineEnds();
            int colon = CharClass.NAME.runEnd(text, at, MAX_HEADER_LENGTH);
            int limit = Math.min(text.length(), at + MAX_HEADER_LENGTH);
            int lineEnd = text.substring(at, limit).indexOf('\n') + at;
            if (colon == at || !text.startsWith(": ", colon) || lineEnd < colon) {
                at = before;
                return;
            }
            at = lineEnd;
        }
    }

    private record Mix(boolean upper, boolean lower, boolean digit) {
        static Mix of(String text, int start, int end) {
            boolean upper = false;
            boolean lower = false;
            boolean digit = false;
            for (int at = start; at < end; at++) {
                char letter = text.charAt(at);
                upper |= letter >= 'A' && letter <= 'Z';
                lower |= letter >= 'a' && letter <= 'z';
                digit |= letter >= '0' && letter <= '9';
            }
            return new Mix(upper, lower, digit);
        }
    }
}
