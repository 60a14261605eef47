package dev.toolgate.core.redact;

import java.util.Locale;
import java.util.Set;

/**
 * Finds credentials after {@code Authorization:}, {@code Cookie:}, {@code Bearer} and {@code Basic}, leaving commands
 * visible.
 */
final class HeaderSecret {
    private static final int MAX_LENGTH = 4096;
    private static final int MAX_NAME_LENGTH = 64;
    private static final int MAX_PAIRS = 50;
    private static final int MIN_LENGTH_AFTER_SCHEME = 8;
    private static final Set<String> SCHEMES_WITH_TOKEN =
            Set.of("bearer", "basic", "token", "negotiate", "ntlm", "apikey", "dpop", "gnap");
    private static final Set<String> SCHEMES_WITH_PAIRS = Set.of("digest", "hoba", "mutual", "aws4-hmac-sha256");

    private HeaderSecret() {}

    /**
     * @param wordEnd where {@code bearer} or {@code basic} ends
     */
    static void afterScheme(String text, int wordEnd, int wordLength, Masks masks) {
        int before = wordEnd - wordLength - 1;
        // Not after an equals sign: A=basic ./program runs a program with a variable set.
        boolean stands = before < 0 || " \t\r\n\"':,(".indexOf(text.charAt(before)) >= 0;
        int start = NamedSecret.blanks(text, wordEnd);
        if (stands && start > wordEnd) {
            int end = credentialEnd(text, start);
            if (end - start >= MIN_LENGTH_AFTER_SCHEME) {
                masks.add(start, end);
            }
        }
    }

    /**
     * @param nameEnd where {@code authorization} ends
     */
    static void authorization(String text, int nameEnd, Masks masks) {
        int start = value(text, nameEnd);
        if (start < 0) {
            return;
        }
        int wordEnd = nameOfPairEnd(text, start);
        String word = text.substring(start, wordEnd).toLowerCase(Locale.ROOT);
        int second = NamedSecret.blanks(text, wordEnd);
        if (second > wordEnd && SCHEMES_WITH_PAIRS.contains(word)) {
            pairs(text, second, ',', masks);
            return;
        }
        int from = second > wordEnd && SCHEMES_WITH_TOKEN.contains(word) ? second : start;
        masks.add(from, credentialEnd(text, from));
    }

    /**
     * @param nameEnd where {@code cookie} ends
     */
    static void cookie(String text, int nameEnd, Masks masks) {
        int start = value(text, nameEnd);
        if (start >= 0) {
            pairs(text, start, ';', masks);
        }
    }

    private static int value(String text, int nameEnd) {
        int colon = NamedSecret.blanks(text, NamedSecret.quote(text, nameEnd).end());
        if (colon >= text.length() || text.charAt(colon) != ':') {
            return -1;
        }
        return NamedSecret.quote(text, NamedSecret.blanks(text, colon + 1)).end();
    }

    private static int credentialEnd(String text, int start) {
        return NamedSecret.startsLikeSecret(text, start) ? CharClass.CREDENTIAL.runEnd(text, start, MAX_LENGTH) : start;
    }

    private static int nameOfPairEnd(String text, int from) {
        return CharClass.NAME.runEnd(text, from, MAX_NAME_LENGTH);
    }

    private static void pairs(String text, int from, char between, Masks masks) {
        int at = from;
        for (int pair = 0; pair < MAX_PAIRS; pair++) {
            int equals = nameOfPairEnd(text, at);
            if (equals == at || !text.startsWith("=", equals)) {
                return;
            }
            int start = NamedSecret.quote(text, equals + 1).end();
            int end = CharClass.COOKIE.runEnd(text, start, MAX_LENGTH);
            masks.add(start, end);
            int next = NamedSecret.quote(text, end).end();
            if (next >= text.length() || text.charAt(next) != between) {
                return;
            }
            at = NamedSecret.blanks(text, next + 1);
        }
    }
}
