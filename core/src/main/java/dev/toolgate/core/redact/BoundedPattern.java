package dev.toolgate.core.redact;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An operator's regular expression with a step limit per character. A text that exceeds it is masked completely,
 * because its secrets cannot be located.
 */
record BoundedPattern(Pattern pattern) {
    private static final long STEPS_PER_CHARACTER = 50;
    private static final long MIN_STEPS = 10_000;

    void find(String text, Masks masks) {
        try {
            Matcher matcher = pattern.matcher(new Counted(text, MIN_STEPS + STEPS_PER_CHARACTER * text.length()));
            while (matcher.find()) {
                masks.add(matcher.start(), matcher.end());
            }
        } catch (TooManySteps | StackOverflowError unbounded) {
            masks.add(0, text.length());
        }
    }

    private static final class TooManySteps extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManySteps() {
            super(null, null, false, false);
        }
    }

    /** Counts character accesses. */
    private static final class Counted implements CharSequence {
        private final String text;
        private long left;

        Counted(String text, long left) {
            this.text = text;
            this.left = left;
        }

        @Override
        public char charAt(int at) {
            if (left-- <= 0) {
                throw new TooManySteps();
            }
            return text.charAt(at);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
