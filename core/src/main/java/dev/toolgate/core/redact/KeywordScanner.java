package dev.toolgate.core.redact;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;

/** Finds which groups of keywords occur in a text, ignoring case, in one pass (Aho-Corasick). */
final class KeywordScanner {
    private static final int ASCII = 128;
    private static final int START = 0;
    private static final int NOWHERE = -1;

    /** The column of {@link #next} for each character; 0 for characters in no keyword. */
    private final byte[] column = new byte[ASCII];

    private final int columns;
    /** The transition table. */
    private final int[] next;
    /** The groups, as bits, whose keywords end in each state. */
    private final long[] ending;

    /**
     * @param groups at most 64, of words in lower-case ASCII
     */
    KeywordScanner(List<List<String>> groups) {
        if (groups.size() > Long.SIZE) {
            throw new IllegalArgumentException("There are more than " + Long.SIZE + " groups of words.");
        }
        List<String> words = groups.stream().flatMap(List::stream).toList();
        this.columns = 1 + numberCharacters(words);
        int maxStates = 1 + words.stream().mapToInt(String::length).sum();
        this.next = new int[maxStates * columns];
        this.ending = new long[maxStates];
        addWords(groups);
        addFailureLinks(maxStates);
    }

    private int numberCharacters(List<String> words) {
        int[] used = words.stream().flatMapToInt(String::chars).distinct().toArray();
        for (int number = 0; number < used.length; number++) {
            String character = Character.toString(used[number]);
            column[used[number]] = (byte) (number + 1);
            column[character.toUpperCase(Locale.ROOT).charAt(0)] = (byte) (number + 1);
        }
        return used.length;
    }

    private void addWords(List<List<String>> groups) {
        Arrays.fill(next, NOWHERE);
        int states = 1;
        for (int group = 0; group < groups.size(); group++) {
            for (String word : groups.get(group)) {
                int state = START;
                for (int at = 0; at < word.length(); at++) {
                    int step = state * columns + column[word.charAt(at)];
                    if (next[step] == NOWHERE) {
                        next[step] = states++;
                    }
                    state = next[step];
                }
                ending[state] |= 1L << group;
            }
        }
    }

    // Breadth first, so that failure links are known before they are needed.
    private void addFailureLinks(int maxStates) {
        int[] back = new int[maxStates];
        Queue<Integer> open = new ArrayDeque<>(List.of(START));
        while (!open.isEmpty()) {
            int state = open.remove();
            ending[state] |= ending[back[state]];
            for (int step = 0; step < columns; step++) {
                int longer = next[state * columns + step];
                int instead = state == START ? START : next[back[state] * columns + step];
                if (longer == NOWHERE) {
                    next[state * columns + step] = instead;
                } else {
                    back[longer] = instead;
                    open.add(longer);
                }
            }
        }
    }

    /** Reports every group with a keyword that ends at a position, in order. */
    void each(String text, Found found) {
        int state = START;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            state = next[state * columns + (character < ASCII ? column[character] : 0)];
            for (long left = ending[state]; left != 0; left &= left - 1) {
                found.at(Long.numberOfTrailingZeros(left), at + 1);
            }
        }
    }

    /** Receives matches. */
    interface Found {
        void at(int group, int end);
    }

    /** The groups with a keyword in the text, as bits. */
    long in(String text) {
        long found = 0;
        int state = START;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            state = next[state * columns + (character < ASCII ? column[character] : 0)];
            found |= ending[state];
        }
        return found;
    }
}
