package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Asserts that work is linear in the length of a text: eight times the text, about eight times the work. */
public final class LinearTime {
    private static final int SHORT = 20_000;
    private static final int TIMES = 8;
    // Quadratic work would take 64 times as long.
    private static final double MAX_GROWTH = TIMES * 2.5;
    private static final int TRIES = 4;
    private static final int RUNS = 3;
    // Shorter times cannot be measured reliably.
    private static final long MIN_NANOS = 100_000;

    private LinearTime() {}

    /** Fails if the work grows faster than the text. */
    public static void check(String what, IntFunction<String> ofLength, Consumer<String> work) {
        String brief = ofLength.apply(SHORT);
        String full = ofLength.apply(SHORT * TIMES);
        double growth = Double.MAX_VALUE;
        for (int attempt = 0; attempt < TRIES && growth > MAX_GROWTH; attempt++) {
            double before = Math.max(MIN_NANOS, nanos(brief, work));
            growth = Math.min(growth, nanos(full, work) / before);
        }
        assertThat(growth)
                .as("growth of the work on %s for %s times the text", what, TIMES)
                .isLessThan(MAX_GROWTH);
    }

    /** The CPU time of the work, the minimum of several runs. */
    public static long nanos(String text, Consumer<String> work) {
        long lowest = Long.MAX_VALUE;
        for (int run = 0; run < RUNS; run++) {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            work.accept(text);
            lowest = Math.min(lowest, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
        }
        return lowest;
    }

    /**
     * Repeats a part up to at least a length, an even number of times: with an open quote a short text could be refused
     * at once where a long one is read completely.
     */
    public static IntFunction<String> repeated(String part) {
        return length -> part.repeat(2 * Math.ceilDiv(length, 2 * part.length()));
    }
}
