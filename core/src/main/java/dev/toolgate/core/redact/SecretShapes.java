package dev.toolgate.core.redact;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Masks words of the same shape as a secret: same length and kinds of characters. A caller who records guesses of a
 * secret thus sees right and wrong ones masked alike.
 */
final class SecretShapes {
    static final SecretShapes NONE = new SecretShapes(Set.of());

    private static final int LOWER = 1;
    private static final int UPPER = 2;
    private static final int DIGIT = 4;
    private static final int OTHER = 8;

    /** Delimiters around secrets in commands, URLs, JSON and prose. */
    private static final String DELIMITERS = "\"'`,;|&<>()[]{}\\=:@?";

    /** A slash is part of some secrets and delimits others. */
    private static final List<String> SEPARATORS = List.of(DELIMITERS, DELIMITERS + "/");

    private final Set<Shape> shapes = new HashSet<>();
    private int maxLength;

    SecretShapes(Collection<String> secrets) {
        for (String secret : secrets) {
            maxLength = Math.max(maxLength, secret.length());
            SEPARATORS.forEach(separators -> eachWord(secret, separators, (from, to) -> {
                if (to - from >= KnownSecrets.UNGUESSABLE_LENGTH) {
                    shapes.add(Shape.of(secret, from, to));
                }
            }));
        }
    }

    void find(String text, Masks masks) {
        if (!shapes.isEmpty()) {
            SEPARATORS.forEach(separators -> eachWord(text, separators, (from, to) -> {
                if (to - from <= maxLength && shapes.contains(Shape.of(text, from, to))) {
                    masks.add(from, to);
                }
            }));
        }
    }

    private static void eachWord(String text, String separators, Word word) {
        int start = 0;
        for (int at = 0; at <= text.length(); at++) {
            boolean inWord = at < text.length()
                    && !Character.isWhitespace(text.charAt(at))
                    && separators.indexOf(text.charAt(at)) < 0;
            if (!inWord) {
                if (at - start >= KnownSecrets.UNGUESSABLE_LENGTH) {
                    word.at(start, at);
                }
                start = at + 1;
            }
        }
    }

    private interface Word {
        void at(int from, int to);
    }

    /** The length of a word and its kinds of characters as bits. */
    private record Shape(int length, int kinds) {
        static Shape of(String text, int from, int to) {
            int kinds = 0;
            for (int at = from; at < to; at++) {
                char letter = text.charAt(at);
                if (letter >= 'a' && letter <= 'z') {
                    kinds |= LOWER;
                } else if (letter >= 'A' && letter <= 'Z') {
                    kinds |= UPPER;
                } else {
                    kinds |= letter >= '0' && letter <= '9' ? DIGIT : OTHER;
                }
            }
            return new Shape(to - from, kinds);
        }
    }
}
