package dev.toolgate.core.redact;

import java.util.List;
import java.util.Locale;

/**
 * Finds keys in well-known formats, and other secrets by the text before them. One pass over the text finds their
 * starting words; from each, only a bounded piece is examined, so that the work is linear in the text and no more is
 * masked than a key of that format can have.
 */
final class KnownKeyFormats {
    private static final int MAX_USER_LENGTH = 128;
    private static final int MAX_PASSWORD_LENGTH = 256;
    private static final int MAX_TOKEN_PART_LENGTH = 4096;
    private static final int MIN_TOKEN_PART_LENGTH = 8;

    private static final List<Kind> KINDS = List.of(
            new Kind(List.of("private key-----", "private key block-----"), PrivateKeyBlock::find),
            prefix("AKIA", CharClass.UPPER_OR_DIGIT, 16, 16),
            prefix("ASIA", CharClass.UPPER_OR_DIGIT, 16, 16),
            prefix("ghp_", CharClass.ALPHANUMERIC, 20, 255),
            prefix("gho_", CharClass.ALPHANUMERIC, 20, 255),
            prefix("ghu_", CharClass.ALPHANUMERIC, 20, 255),
            prefix("ghs_", CharClass.ALPHANUMERIC, 20, 255),
            prefix("ghr_", CharClass.ALPHANUMERIC, 20, 255),
            prefix("github_pat_", CharClass.WORD, 20, 255),
            prefix("glpat-", CharClass.NAME, 20, 64),
            prefix("npm_", CharClass.ALPHANUMERIC, 36, 36),
            prefix("AIza", CharClass.NAME, 35, 35),
            prefix("hvs.", CharClass.NAME, 16, 255),
            prefix("sk-", CharClass.NAME, 16, 255),
            prefix("xoxa-", CharClass.NAME, 10, 255),
            prefix("xoxb-", CharClass.NAME, 10, 255),
            prefix("xoxp-", CharClass.NAME, 10, 255),
            prefix("xoxr-", CharClass.NAME, 10, 255),
            prefix("xoxs-", CharClass.NAME, 10, 255),
            prefix("tg_", CharClass.NAME, 16, 128),
            new Kind(List.of("eyj"), KnownKeyFormats::webToken),
            new Kind(List.of("bearer"), (text, end, masks) -> HeaderSecret.afterScheme(text, end, 6, masks)),
            new Kind(List.of("basic"), (text, end, masks) -> HeaderSecret.afterScheme(text, end, 5, masks)),
            new Kind(List.of("://"), KnownKeyFormats::passwordInUrl),
            new Kind(List.of("-u", "--user"), KnownKeyFormats::userOption),
            new Kind(List.of("authorization"), HeaderSecret::authorization),
            new Kind(List.of("cookie"), HeaderSecret::cookie),
            new Kind(NamedSecret.NAMES, NamedSecret::find));

    private static final KeywordScanner BEGINNINGS =
            new KeywordScanner(KINDS.stream().map(Kind::beginnings).toList());

    private KnownKeyFormats() {}

    static void find(String text, Masks masks) {
        BEGINNINGS.each(text, (kind, end) -> {
            if (!masks.cover(end)) {
                KINDS.get(kind).finder().find(text, end, masks);
            }
        });
    }

    /** The starting words of a secret, in lower case, and the function that checks what follows. */
    private record Kind(List<String> beginnings, Finder finder) {}

    private interface Finder {
        void find(String text, int end, Masks masks);
    }

    private static Kind prefix(String prefix, CharClass letters, int minLength, int maxLength) {
        return new Kind(List.of(prefix.toLowerCase(Locale.ROOT)), (text, end, masks) -> {
            int start = end - prefix.length();
            int last = letters.runEnd(text, end, maxLength);
            boolean whole = minLength < maxLength || !CharClass.WORD.at(text, last);
            if (text.startsWith(prefix, start)
                    && !CharClass.WORD.at(text, start - 1)
                    && last - end >= minLength
                    && whole) {
                masks.add(start, last);
            }
        });
    }

    private static void webToken(String text, int end, Masks masks) {
        int start = end - 3;
        if (!text.startsWith("eyJ", start) || CharClass.NAME.at(text, start - 1)) {
            return;
        }
        int header = CharClass.NAME.runEnd(text, end, MAX_TOKEN_PART_LENGTH);
        if (header - end < MIN_TOKEN_PART_LENGTH || !text.startsWith(".", header)) {
            return;
        }
        int claims = CharClass.NAME.runEnd(text, header + 1, MAX_TOKEN_PART_LENGTH);
        if (claims - header - 1 < MIN_TOKEN_PART_LENGTH || !text.startsWith(".", claims)) {
            return;
        }
        masks.add(start, CharClass.NAME.runEnd(text, claims + 1, MAX_TOKEN_PART_LENGTH));
    }

    private static void passwordInUrl(String text, int end, Masks masks) {
        int colon = end;
        int limit = Math.min(text.length(), end + MAX_USER_LENGTH);
        while (colon < limit && text.charAt(colon) != ':' && isInUserInfo(text, colon)) {
            colon++;
        }
        if (!text.startsWith(":", colon)) {
            return;
        }
        int at = colon + 1;
        limit = Math.min(text.length(), at + MAX_PASSWORD_LENGTH);
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
        int limit = Math.min(text.length(), user + MAX_USER_LENGTH);
        while (colon < limit && text.charAt(colon) != ':' && NamedSecret.wordEnd(text, colon, 1) > colon) {
            colon++;
        }
        if (colon > user && text.startsWith(":", colon) && NamedSecret.startsLikeSecret(text, colon + 1)) {
            masks.add(colon + 1, NamedSecret.wordEnd(text, colon + 1, MAX_PASSWORD_LENGTH));
        }
    }
}
