package dev.toolgate.core.redact;

import java.util.Arrays;
import java.util.Locale;

/** Which parts of a text are masked. Scanners add to it in any order; parts that overlap become one. */
final class Masks {
    private static final int FIRST_SIZE = 8;
    private static final int START_BITS = 32;

    // Start and end in one number, so that sorting the numbers sorts the parts.
    private long[] parts = new long[FIRST_SIZE];
    private int count;
    // The part that ends furthest, with all that it overlaps.
    private int furthestStart;
    private int furthestEnd;

    void add(int start, int end) {
        if (start >= end) {
            return;
        }
        if (count == parts.length) {
            parts = Arrays.copyOf(parts, count * 2);
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
     * Whether the character before this place is within the part that ends furthest, and so need not be looked at again.
     * What only lies before that part may be between two parts.
     */
    boolean cover(int end) {
        return end > furthestStart && end <= furthestEnd;
    }

    /** The text with a placeholder that says how many characters it stands for in place of each part. */
    Masked<String> countedIn(String text) {
        return render(text, text.length(), Masks::placeholder);
    }

    /** The same of the first characters only; a part that reaches beyond them is masked whole. */
    Masked<String> countedIn(String text, int shown) {
        return render(text, shown, Masks::placeholder);
    }

    /** The text with a placeholder that says nothing about what it stands for in place of each part. */
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
