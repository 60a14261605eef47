package dev.toolgate.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Measures several variants alternately in rounds, so that other load affects all of them equally. */
final class Comparison {
    /** A variant to measure. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    private final Map<String, Work> variants = new LinkedHashMap<>();
    private final Map<String, long[]> nanos = new LinkedHashMap<>();

    Comparison with(String name, Work work) {
        variants.put(name, work);
        return this;
    }

    Comparison measure(int warmUpRounds, int rounds, int runsInARound) throws Exception {
        for (int round = -warmUpRounds; round < rounds; round++) {
            for (Map.Entry<String, Work> variant : variants.entrySet()) {
                long start = System.nanoTime();
                for (int run = 0; run < runsInARound; run++) {
                    variant.getValue().run();
                }
                long each = (System.nanoTime() - start) / runsInARound;
                if (round >= 0) {
                    nanos.computeIfAbsent(variant.getKey(), _ -> new long[rounds])[round] = each;
                }
            }
        }
        return this;
    }

    /** Prints the median of every variant and its ratio to the first. */
    void print(String title) {
        System.out.println(title);
        double first = 0;
        for (Map.Entry<String, long[]> variant : nanos.entrySet()) {
            double median = median(variant.getValue());
            first = first == 0 ? median : first;
            System.out.printf(
                    Locale.ROOT, "  %-52s %10.1f us   %5.2f x%n", variant.getKey(), median / 1000, median / first);
        }
        System.out.println();
    }

    /** The ratio of the medians of two variants. */
    double ratio(String of, String to) {
        return median(nanos.getOrDefault(of, new long[] {0})) / median(nanos.getOrDefault(to, new long[] {1}));
    }

    private static double median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
