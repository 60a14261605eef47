package dev.toolgate.core.memory;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Takes texts apart into the words they are found by: the same wherever memories are kept. */
public final class MemoryWords {
    private static final Pattern BETWEEN = Pattern.compile("[^\\p{L}\\p{M}\\p{N}]+");
    private static final int LONGEST = 100;

    private MemoryWords() {}

    /** The different words of a text, without regard to case or the way letters are encoded. */
    public static List<String> of(String text) {
        String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        return Arrays.stream(BETWEEN.split(plain))
                .filter(word -> !word.isEmpty())
                .map(MemoryWords::bounded)
                .distinct()
                .toList();
    }

    /** The words an item is found by. */
    public static List<String> of(Memory.Item item) {
        return of(item.key() + " " + item.value());
    }

    private static String bounded(String word) {
        if (word.length() <= LONGEST) {
            return word;
        }
        return word.substring(0, Character.isHighSurrogate(word.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST);
    }
}
