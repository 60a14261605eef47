package dev.toolgate.core.redact;

import java.util.Arrays;
import java.util.Locale;

/** Ranges of a text to be masked. Scanners add in any order; overlapping ranges are merged. */
final class Masks {
    private static final int FIRST_SIZE = 8;
    private static final int START_BITS = 32;
    private static final long[] NO_PARTS = {};

    // Start and end packed into one long, so that sorting sorts by start.
    private long[] parts = NO_PARTS; // few texts contain a secret
    private int count;
    // The range that ends furthest, merged with those it overlaps.
    private int furthestStart;
    private int furthestEnd;

    void add(int start, int end) {
        if (start >= end) {
            return;
        }
        if (count == parts.length) {
            parts = Arrays.copyOf(parts, Math.max(FIRST_SIZE, count * 2));
        }
        parts[count++] = ((long) start << START_BITS) | end;
        if (end > furthestEnd) {
            furthestStart = start > furthestEnd ? start : Math.min(start, furthestStart);
            furthestEnd = end;
        }
    }

    void addAll(Masks others) {
        for (int next = 0; next < others.count; next++) {
            add(others.start(next), (int) others.parts[next]);
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    /**
     * Whether the character before this position is within the furthest-ending range and need not be examined again.
     * Positions before that range may lie between two ranges.
     */
    boolean cover(int end) {
        return end > furthestStart && end <= furthestEnd;
    }

    /** The text with each range replaced by a placeholder that states its length. */
    Masked<String> countedIn(String text) {
        return render(text, text.length(), Masks::placeholder);
    }

    /** The same for the first characters only; a range that crosses the end is masked completely. */
    Masked<String> countedIn(String text, int shown) {
        return render(text, shown, Masks::placeholder);
    }

    /** The text with each range replaced by a fixed placeholder. */
    String hiddenIn(String text) {
        return render(text, text.length(), _ -> Redactor.MASK).value();
    }

    static String placeholder(long characters) {
        return "[redacted: " + String.format(Locale.ROOT, "%,d", characters)
                + (characters == 1 ? " character]" : " characters]");
    }

    private Masked<String> render(String text, int length, Placeholder placeholder) {
        if (count == 0) {
            return new Masked<>(text.substring(0, length), 0);
        }
        Arrays.sort(parts, 0, count);
        StringBuilder clean = new StringBuilder(length);
        long masked = 0;
        int shown = 0;
        for (int next = 0; next < count && start(next) < length; ) {
            int start = start(next);
            int end = (int) parts[next];
            for (next++; next < count && start(next) <= end; next++) {
                end = Math.max(end, (int) parts[next]);
            }
            clean.append(text, shown, start).append(placeholder.of(end - start));
            masked += end - start;
            shown = end;
        }
        return new Masked<>(clean.append(text, Math.min(shown, length), length).toString(), masked);
    }

    private int start(int part) {
        return (int) (parts[part] >> START_BITS);
    }

    private interface Placeholder {
        String of(int characters);
    }
}
