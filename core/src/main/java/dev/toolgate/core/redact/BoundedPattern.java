package dev.toolgate.core.redact;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An operator's regular expression with a step limit per character. A text that exceeds it is masked completely,
 * because its secrets cannot be located.
 */
record BoundedPattern(Pattern pattern) {
    void find(String text, Masks masks) {
        try {
            Matcher matcher = pattern.matcher(new Counted(text, new StepLimit(text)));
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
        private final StepLimit limit;

        Counted(String text, StepLimit limit) {
            this.text = text;
            this.limit = limit;
        }

        @Override
        public char charAt(int at) {
            if (!limit.take(1)) {
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
