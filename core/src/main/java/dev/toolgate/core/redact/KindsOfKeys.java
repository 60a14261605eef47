package dev.toolgate.core.redact;

import java.util.List;
import java.util.Locale;

/**
 * Finds keys of well-known kinds, and secrets of any kind by what stands before them. One pass over the text finds the
 * words that begin them; from each of these only a bounded piece is looked at, so that the work grows with the length of
 * the text whatever it says, and no more is masked than a key of that kind can have.
 */
final class KindsOfKeys {
    private static final int LONGEST_USER = 128;
    private static final int LONGEST_PASSWORD = 256;
    private static final int LONGEST_TOKEN_PART = 4096;
    private static final int SHORTEST_TOKEN_PART = 8;

    private static final List<Kind> KINDS = List.of(
            new Kind(List.of("private key-----", "private key block-----"), PrivateKeyBlock::find),
            prefix("AKIA", Letters.UPPER_OR_DIGIT, 16, 16),
            prefix("ASIA", Letters.UPPER_OR_DIGIT, 16, 16),
            prefix("ghp_", Letters.ALPHANUMERIC, 20, 255),
            prefix("gho_", Letters.ALPHANUMERIC, 20, 255),
            prefix("ghu_", Letters.ALPHANUMERIC, 20, 255),
            prefix("ghs_", Letters.ALPHANUMERIC, 20, 255),
            prefix("ghr_", Letters.ALPHANUMERIC, 20, 255),
            prefix("github_pat_", Letters.WORD, 20, 255),
            prefix("glpat-", Letters.NAME, 20, 64),
            prefix("npm_", Letters.ALPHANUMERIC, 36, 36),
            prefix("AIza", Letters.NAME, 35, 35),
            prefix("hvs.", Letters.NAME, 16, 255),
            prefix("sk-", Letters.NAME, 16, 255),
            prefix("xoxa-", Letters.NAME, 10, 255),
            prefix("xoxb-", Letters.NAME, 10, 255),
            prefix("xoxp-", Letters.NAME, 10, 255),
            prefix("xoxr-", Letters.NAME, 10, 255),
            prefix("xoxs-", Letters.NAME, 10, 255),
            prefix("tg_", Letters.NAME, 16, 128),
            new Kind(List.of("eyj"), KindsOfKeys::webToken),
            new Kind(List.of("bearer"), (text, end, masks) -> HeaderSecret.afterScheme(text, end, 6, masks)),
            new Kind(List.of("basic"), (text, end, masks) -> HeaderSecret.afterScheme(text, end, 5, masks)),
            new Kind(List.of("://"), KindsOfKeys::passwordInUrl),
            new Kind(List.of("-u", "--user"), KindsOfKeys::userOption),
            new Kind(List.of("authorization"), HeaderSecret::authorization),
            new Kind(List.of("cookie"), HeaderSecret::cookie),
            new Kind(NamedSecret.NAMES, NamedSecret::find));

    private static final WordsInText BEGINNINGS =
            new WordsInText(KINDS.stream().map(Kind::beginnings).toList());

    private KindsOfKeys() {}

    static void find(String text, Masks masks) {
        BEGINNINGS.each(text, (kind, end) -> {
            if (!masks.cover(end)) {
                KINDS.get(kind).finder().find(text, end, masks);
            }
        });
    }

    /** What begins a secret, in lower case, and what looks from there whether it is one. */
    private record Kind(List<String> beginnings, Finder finder) {}

    private interface Finder {
        void find(String text, int end, Masks masks);
    }

    private static Kind prefix(String prefix, Letters letters, int shortest, int longest) {
        return new Kind(List.of(prefix.toLowerCase(Locale.ROOT)), (text, end, masks) -> {
            int start = end - prefix.length();
            int last = letters.runEnd(text, end, longest);
            boolean whole = shortest < longest || !Letters.WORD.at(text, last);
            if (text.startsWith(prefix, start)
                    && !Letters.WORD.at(text, start - 1)
                    && last - end >= shortest
                    && whole) {
                masks.add(start, last);
            }
        });
    }

    private static void webToken(String text, int end, Masks masks) {
        int start = end - 3;
        if (!text.startsWith("eyJ", start) || Letters.NAME.at(text, start - 1)) {
            return;
        }
        int header = Letters.NAME.runEnd(text, end, LONGEST_TOKEN_PART);
        if (header - end < SHORTEST_TOKEN_PART || !text.startsWith(".", header)) {
            return;
        }
        int claims = Letters.NAME.runEnd(text, header + 1, LONGEST_TOKEN_PART);
        if (claims - header - 1 < SHORTEST_TOKEN_PART || !text.startsWith(".", claims)) {
            return;
        }
        masks.add(start, Letters.NAME.runEnd(text, claims + 1, LONGEST_TOKEN_PART));
    }

    private static void passwordInUrl(String text, int end, Masks masks) {
        int colon = end;
        int limit = Math.min(text.length(), end + LONGEST_USER);
        while (colon < limit && text.charAt(colon) != ':' && isInUserInfo(text, colon)) {
            colon++;
        }
        if (!text.startsWith(":", colon)) {
            return;
        }
        int at = colon + 1;
        limit = Math.min(text.length(), at + LONGEST_PASSWORD);
        while (at < limit && isInUserInfo(text, at)) {
            at++;
        }
        if (text.startsWith("@", at)) {
            masks.add(colon + 1, at);
        }
    }

    private static boolean isInUserInfo(String text, int at) {
        char letter = text.charAt(at);
        return letter != '/' && letter != '@' && NamedSecret.wordEnd(text, at, 1) > at;
    }

    private static void userOption(String text, int end, Masks masks) {
        int length = text.regionMatches(true, end - 2, "-u", 0, 2) ? 2 : "--user".length();
        int start = end - length;
        int user = end;
        while (user < text.length() && user - end < 4 && " \t=".indexOf(text.charAt(user)) >= 0) {
            user++;
        }
        if (user == end || start < 1 || !Character.isWhitespace(text.charAt(start - 1))) {
            return;
        }
        user = NamedSecret.quote(text, user).end();
        int colon = user;
        int limit = Math.min(text.length(), user + LONGEST_USER);
        while (colon < limit && text.charAt(colon) != ':' && NamedSecret.wordEnd(text, colon, 1) > colon) {
            colon++;
        }
        if (colon > user && text.startsWith(":", colon) && NamedSecret.startsLikeSecret(text, colon + 1)) {
            masks.add(colon + 1, NamedSecret.wordEnd(text, colon + 1, LONGEST_PASSWORD));
        }
    }
}
