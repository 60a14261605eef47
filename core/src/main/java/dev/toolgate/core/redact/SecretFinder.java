package dev.toolgate.core.redact;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Finds given secrets in a text in one pass. */
final class SecretFinder {
    static final SecretFinder NONE = new SecretFinder(List.of());

    private static final int ASCII = 128;
    private static final String[] NOTHING = {};

    private final List<String> secrets;
    /** By first character, longest first. */
    private final String[][] byFirst = new String[ASCII][];

    private final Map<Character, String[]> byOtherFirst = new HashMap<>();

    SecretFinder(Collection<String> secrets) {
        this.secrets = longestFirst(secrets);
        Map<Character, List<String>> sorted = new HashMap<>();
        this.secrets.forEach(secret ->
                sorted.computeIfAbsent(secret.charAt(0), _ -> new ArrayList<>()).add(secret));
        sorted.forEach((first, some) -> {
            if (first < ASCII) {
                byFirst[first] = some.toArray(NOTHING);
            } else {
                byOtherFirst.put(first, some.toArray(NOTHING));
            }
        });
    }

    private static List<String> longestFirst(Collection<String> secrets) {
        return secrets.stream()
                .filter(secret -> !secret.isEmpty())
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    List<String> secrets() {
        return secrets;
    }

    boolean isEmpty() {
        return secrets.isEmpty();
    }

    /** Masks the secrets that pass the predicate, completely even where they overlap. */
    void find(String text, Predicate<String> counts, Masks masks) {
        if (secrets.isEmpty()) {
            return;
        }
        for (int at = 0; at < text.length(); at++) {
            char first = text.charAt(at);
            String[] some = first < ASCII ? byFirst[first] : byOtherFirst.get(first);
            if (some != null) {
                findAt(text, at, some, counts, masks);
            }
        }
    }

    private static void findAt(String text, int at, String[] some, Predicate<String> counts, Masks masks) {
        for (String secret : some) {
            if (text.startsWith(secret, at) && counts.test(secret)) {
                masks.add(at, at + secret.length());
                return;
            }
        }
    }

    /** How many characters at the end of a text could start one of them. */
    int beginningAtEnd(String text, Predicate<String> counts) {
        int longest = 0;
        for (String secret : secrets) {
            for (int length = Math.min(secret.length() - 1, text.length()); length > longest; length--) {
                if (text.regionMatches(text.length() - length, secret, 0, length) && counts.test(secret)) {
                    longest = length;
                }
            }
        }
        return longest;
    }
}
