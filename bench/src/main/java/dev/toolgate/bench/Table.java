package dev.toolgate.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Measures several ways in turn, round after round, so that a busy moment hits all of them alike. */
final class Table {
    /** Something to measure. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    private final Map<String, Work> ways = new LinkedHashMap<>();
    private final Map<String, long[]> nanos = new LinkedHashMap<>();

    Table with(String name, Work work) {
        ways.put(name, work);
        return this;
    }

    Table measure(int warmUpRounds, int rounds, int runsInARound) throws Exception {
        for (int round = -warmUpRounds; round < rounds; round++) {
            for (Map.Entry<String, Work> way : ways.entrySet()) {
                long start = System.nanoTime();
                for (int run = 0; run < runsInARound; run++) {
                    way.getValue().run();
                }
                long each = (System.nanoTime() - start) / runsInARound;
                if (round >= 0) {
                    nanos.computeIfAbsent(way.getKey(), _ -> new long[rounds])[round] = each;
                }
            }
        }
        return this;
    }

    /** Prints every way's median and its ratio to the first. */
    void print(String title) {
        System.out.println(title);
        double first = 0;
        for (Map.Entry<String, long[]> way : nanos.entrySet()) {
            double median = median(way.getValue());
            first = first == 0 ? median : first;
            System.out.printf(
                    Locale.ROOT, "  %-52s %10.1f us   %5.2f x%n", way.getKey(), median / 1000, median / first);
        }
        System.out.println();
    }

    /** How many times the first way's median another takes. */
    double ratio(String of, String to) {
        return median(nanos.getOrDefault(of, new long[] {0})) / median(nanos.getOrDefault(to, new long[] {1}));
    }

    private static double median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
