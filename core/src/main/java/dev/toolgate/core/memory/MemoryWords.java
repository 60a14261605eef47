package dev.toolgate.core.memory;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Splits text into search words, the same way for every memory store. */
public final class MemoryWords {
    private static final Pattern BETWEEN = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");
    private static final int MAX_LENGTH = 100;

    private MemoryWords() {}

    /** The distinct words of a text, case-folded and Unicode-normalised. */
    public static List<String> of(String text) {
        String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        return Arrays.stream(BETWEEN.split(plain))
                .filter(word -> !word.isEmpty())
                .map(MemoryWords::bounded)
                .distinct()
                .toList();
    }

    /** The search words of an item. */
    public static List<String> of(Memory.Item item) {
        return of(item.key() + " " + item.value());
    }

    private static String bounded(String word) {
        if (word.length() <= MAX_LENGTH) {
            return word;
        }
        return word.substring(0, Character.isHighSurrogate(word.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH);
    }
}
