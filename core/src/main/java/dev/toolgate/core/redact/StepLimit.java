package dev.toolgate.core.redact;

/**
 * Limits the work on one text to a number of steps per character. A text that needs more is masked completely, because
 * its secrets cannot be located.
 */
final class StepLimit {
    private static final long STEPS_PER_CHARACTER = 50;
    private static final long MIN_STEPS = 10_000;

    private long left;

    StepLimit(CharSequence text) {
        left = MIN_STEPS + STEPS_PER_CHARACTER * text.length();
    }

    /** Takes some steps; false if there are not as many left. */
    boolean take(int steps) {
        left -= steps;
        return left >= 0;
    }

    boolean isExceeded() {
        return left < 0;
    }
}
