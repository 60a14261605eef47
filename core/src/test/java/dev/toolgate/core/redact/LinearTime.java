package dev.toolgate.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Sees to it that work on a text grows with its length and no faster: eight times the text, about eight times the work. */
public final class LinearTime {
    private static final int SHORT = 20_000;
    private static final int TIMES = 8;
    // Work that grows with the square of the length takes 64 times as long.
    private static final double MOST = TIMES * 2.5;
    private static final int TRIES = 4;
    private static final int RUNS = 3;
    // Less is not measured well.
    private static final long LEAST_NANOS = 100_000;

    private LinearTime() {}

    /** Fails if the work grows faster than the text. */
    public static void check(String what, IntFunction<String> ofLength, Consumer<String> work) {
        String brief = ofLength.apply(SHORT);
        String full = ofLength.apply(SHORT * TIMES);
        double growth = Double.MAX_VALUE;
        for (int attempt = 0; attempt < TRIES && growth > MOST; attempt++) {
            double before = Math.max(LEAST_NANOS, nanos(brief, work));
            growth = Math.min(growth, nanos(full, work) / before);
        }
        assertThat(growth)
                .as("growth of the work on %s for %s times the text", what, TIMES)
                .isLessThan(MOST);
    }

    /** The processor time of the work, the lowest of some runs. */
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
     * A part again and again, to a length or a little more. Always whole, and an even number of times: with a quote left open a
     * short text could be refused at once where a long one is read to its end.
     */
    public static IntFunction<String> repeated(String part) {
        return length -> part.repeat(2 * Math.ceilDiv(length, 2 * part.length()));
    }
}
