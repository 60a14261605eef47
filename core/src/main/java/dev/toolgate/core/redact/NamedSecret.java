package dev.toolgate.core.redact;

import java.util.List;

/**
 * Finds secrets by the name before them: {@code password=…}, {@code "token": "…"}, {@code --api-key …}. At most one
 * word, or a few plain words in quotes, is masked. Anything that could be a command stays visible, or an agent could
 * hide it behind such a name.
 */
final class NamedSecret {
    static final List<String> NAMES = List.of(
            "passwd",
            "password",
            "passphrase",
            "secret",
            "token",
            "credential",
            "apikey",
            "api-key",
            "api_key",
            "accesskey",
            "access-key",
            "access_key",
            "privatekey",
            "private-key",
            "private_key",
            "authorization",
            "cookie");

    static final int MAX_LENGTH = 512;
    private static final int MAX_PHRASE_LENGTH = 128;
    private static final int MIN_LENGTH = 4;
    private static final int MAX_SUFFIX_LENGTH = 16;
    private static final int MAX_OPTION_LENGTH = 48;
    private static final int BLANKS = 4;
    private static final int BACKSLASHES = 4;
    /** Characters that end a shell word or separate commands. */
    private static final String SEPARATORS = "\"'\\;|&<>()`";

    private static final String MASKED_BEFORE = "[redacted";

    private NamedSecret() {}

    /**
     * @param nameEnd where one of the names ends
     */
    static void find(String text, int nameEnd, Masks masks) {
        int suffix = CharClass.NAME.runEnd(text, nameEnd, MAX_SUFFIX_LENGTH);
        int at = blanks(text, quote(text, suffix).end());
        if (at < text.length() && (text.charAt(at) == '=' || text.charAt(at) == ':')) {
            value(text, blanks(text, at + 1), masks);
        } else if (suffix == nameEnd && CharClass.BLANK.at(text, nameEnd)) {
            option(text, nameEnd, masks);
        }
    }

    // --password VALUE: paths and options stay visible, since they say what the program works on.
    private static void option(String text, int nameEnd, Masks masks) {
        int start = CharClass.NAME.runStart(text, nameEnd, MAX_OPTION_LENGTH);
        int value = blanks(text, nameEnd);
        if (text.startsWith("--", start) && startsLikeSecret(text, value)) {
            int end = wordEnd(text, value, MAX_LENGTH);
            if (end - value >= MIN_LENGTH) {
                masks.add(value, end);
            }
        }
    }

    private static void value(String text, int start, Masks masks) {
        Quote quote = quote(text, start);
        if (quote.sign() == 0) {
            word(text, start, masks);
            return;
        }
        int close = closing(text, quote);
        if (close < 0) {
            word(text, quote.end(), masks);
        } else if (wordEnd(text, quote.end(), MAX_LENGTH) == close) {
            masks.add(quote.end(), close);
        } else if (close - quote.end() <= MAX_PHRASE_LENGTH && isPhrase(text, quote.end(), close)) {
            masks.add(quote.end(), close);
        }
    }

    private static void word(String text, int start, Masks masks) {
        int end = wordEnd(text, start, MAX_LENGTH);
        if (end - start >= MIN_LENGTH && text.charAt(start) != '$' && !text.startsWith(MASKED_BEFORE, start)) {
            masks.add(start, end);
        }
    }

    static boolean startsLikeSecret(String text, int at) {
        return at < text.length() && "-/.~$*".indexOf(text.charAt(at)) < 0;
    }

    /** Where the word that begins here ends; a substitution also ends it. */
    static int wordEnd(String text, int from, int max) {
        int limit = (int) Math.min(text.length(), (long) from + max);
        int at = from;
        while (at < limit && isInWord(text, at)) {
            at++;
        }
        return at;
    }

    private static boolean isInWord(String text, int at) {
        char letter = text.charAt(at);
        if (letter == '$') {
            return at + 1 == text.length() || (text.charAt(at + 1) != '(' && text.charAt(at + 1) != '{');
        }
        return !Character.isWhitespace(letter) && !Character.isISOControl(letter) && SEPARATORS.indexOf(letter) < 0;
    }

    // Words separated by blanks. Quotes can be unbalanced, so each word is checked on its own.
    private static boolean isPhrase(String text, int from, int to) {
        int at = from;
        while (at < to) {
            char letter = text.charAt(at);
            if (letter == ' ') {
                at++;
                continue;
            }
            if ("-/.~$*?[{".indexOf(letter) >= 0) {
                return false;
            }
            int end = phraseWordEnd(text, at, to);
            if (end == at) {
                return false;
            }
            at = end;
        }
        return true;
    }

    private static int phraseWordEnd(String text, int from, int to) {
        int at = from;
        while (at < to && (isInWord(text, at) || text.charAt(at) == '"' || text.charAt(at) == '\'')) {
            at++;
        }
        return at;
    }

    // The same quote after the same number of backslashes, on the same line.
    private static int closing(String text, Quote quote) {
        int limit = (int) Math.min(text.length(), (long) quote.end() + MAX_LENGTH + 1);
        int backslashes = 0;
        for (int at = quote.end(); at < limit; at++) {
            char letter = text.charAt(at);
            if (letter == quote.sign() && backslashes == quote.backslashes()) {
                return at - backslashes;
            }
            if (letter == '\n' || letter == '\r') {
                return -1;
            }
            backslashes = letter == '\\' ? backslashes + 1 : 0;
        }
        return -1;
    }

    static int blanks(String text, int from) {
        return CharClass.BLANK.runEnd(text, from, BLANKS);
    }

    /** The quote at this position with its backslashes; sign 0 if there is none. */
    static Quote quote(String text, int from) {
        int at = from;
        while (at < text.length() && at - from < BACKSLASHES && text.charAt(at) == '\\') {
            at++;
        }
        boolean isQuote = at < text.length() && (text.charAt(at) == '"' || text.charAt(at) == '\'');
        return isQuote ? new Quote(text.charAt(at), at - from, at + 1) : new Quote((char) 0, 0, from);
    }

    record Quote(char sign, int backslashes, int end) {}
}
