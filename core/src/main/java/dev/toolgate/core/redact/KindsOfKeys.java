package dev.toolgate.core.redact;

import java.util.List;
import java.util.regex.Pattern;

/** What keys of well-known kinds look like, and what stands before secrets of any kind. */
final class KindsOfKeys {
    private static final String TELLING_WORD = "(?:passw(?:or)?d|passphrase|secret|token|credential|api[-_]?key"
            + "|access[-_]?key|private[-_]?key|authorization|cookie)";
    private static final String[] TELLING_HINTS = {
        "passw", "passphrase", "secret", "token", "credential", "key", "authorization", "cookie"
    };

    private static final List<Kind> ALL = List.of(
            new Kind(
                    "-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\\s\\S]*?(-----END [A-Z0-9 ]*PRIVATE KEY-----|$)",
                    "private key"),
            new Kind("\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b", "akia", "asia"),
            new Kind("\\bgh[pousr]_[A-Za-z0-9]{20,}\\b", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
            new Kind("\\bgithub_pat_[A-Za-z0-9_]{20,}\\b", "github_pat_"),
            new Kind("\\bsk-[A-Za-z0-9_-]{16,}", "sk-"),
            new Kind("\\bxox[abprs]-[A-Za-z0-9-]{10,}", "xox"),
            new Kind("\\btg_[A-Za-z0-9_-]{16,}", "tg_"),
            // Not after a dash: a long row of beginnings would be tried from each of them to its end.
            new Kind("(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*", "eyj"),
            new Kind("(?i)(?<=\\b(?:bearer|basic)\\s{1,4})[A-Za-z0-9+/._~=-]{8,}", "bearer", "basic"),
            new Kind("(?<=://)[^/\\s:@]*:[^/\\s@]+(?=@)", "://"),
            Kind.after("((?:authorization|cookie)\\s{0,4}:\\s{0,4})[^\"'\\r\\n]+", "authorization", "cookie"),
            Kind.after("(\\s(?:-u|--user)[\\s=]{1,4}[\"']?[^\\s:\"']{1,100}:)[^\\s\"']+", "-u", "--user"),
            Kind.after("(--[a-z0-9-]{0,20}" + TELLING_WORD + "\\s{1,4})[^\\s\"']{4,}", TELLING_HINTS),
            Kind.after(
                    "(" + TELLING_WORD + "[a-z0-9_-]{0,16}\\\\{0,4}[\"']?\\s{0,4}[=:]\\s{0,4})[^\\s&\"'\\\\]{4,}",
                    TELLING_HINTS),
            Kind.after(
                    "(" + TELLING_WORD + "[a-z0-9_-]{0,16}\\\\{0,4}[\"']?\\s{0,4}[=:]\\s{0,4}(\\\\{0,4}[\"']))"
                            + "[^\\r\\n]+?(?=\\2|[\\r\\n]|$)",
                    TELLING_HINTS));

    // Looking for words first is many times faster than trying the patterns.
    private static final WordsInText HINTS =
            new WordsInText(ALL.stream().map(Kind::hints).toList());

    private KindsOfKeys() {}

    /** The text without them. */
    static String hide(String text) {
        String clean = text;
        for (long left = HINTS.in(text); left != 0; left &= left - 1) {
            Kind kind = ALL.get(Long.numberOfTrailingZeros(left));
            clean = kind.pattern().matcher(clean).replaceAll(kind.replacement());
        }
        return clean;
    }

    /** A pattern, and the words of which at least one stands in every text that matches it, in whichever case. */
    private record Kind(Pattern pattern, String replacement, List<String> hints) {
        Kind(String pattern, String... hints) {
            this(Pattern.compile(pattern), Redactor.MASK, List.of(hints));
        }

        /** A secret known by what stands before it, which is the first group of the pattern and stays. */
        static Kind after(String pattern, String... hints) {
            return new Kind(Pattern.compile("(?i)" + pattern), "$1" + Redactor.MASK, List.of(hints));
        }
    }
}
