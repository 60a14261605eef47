package dev.toolgate.bench.decision;

import dev.toolgate.bench.decision.Way.Product;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs {@link DecisionBenchmark} and prints how the ways compare. */
final class DecisionRatios {
    private final Map<Way, Double> microseconds = new EnumMap<>(Way.class);

    private DecisionRatios() {}

    public static void main(String[] args) throws Exception {
        DecisionRatios ratios = new DecisionRatios();
        for (RunResult result : new Runner(new OptionsBuilder()
                        .include(DecisionBenchmark.class.getName())
                        .shouldFailOnError(true)
                        .build())
                .run()) {
            ratios.microseconds.put(
                    Way.valueOf(result.getParams().getParam("way")),
                    result.getPrimaryResult().getStatistics().getPercentile(50));
        }
        ratios.print();
    }

    private void print() {
        double ours = fastest(Product.TOOLGATE);
        System.out.printf(
                Locale.ROOT,
                "%nMay this agent use this tool? %,d agents, %d tools, %,d grants%n",
                GrantTable.AGENTS,
                GrantTable.TOOLS,
                GrantTable.AGENTS * GrantTable.TOOLS / 2);
        // With more work waiting than there are processors, every figure is too high.
        OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
        System.out.printf(
                Locale.ROOT,
                "  (load average %.1f on %d processors at the end)%n",
                machine.getSystemLoadAverage(),
                machine.getAvailableProcessors());
        microseconds.forEach((way, time) ->
                System.out.printf(Locale.ROOT, "  %-44s %12.3f us  %12.1f x%n", way.title, time, time / ours));
        System.out.println();
        System.out.printf(Locale.ROOT, "microseconds of a decision: %.3f (bar: at most 1)%n", ours);
        ratio("fastest jCasbin / Toolgate", Product.JCASBIN, "bar: at least 10");
        ratio("fastest Cedar / Toolgate", Product.CEDAR, "bar: at least 10");
        ratio("jCasbin's cache alone / Toolgate", Product.JCASBIN_CACHE, "no bar: nothing is decided");
    }

    private void ratio(String name, Product product, String bar) {
        System.out.printf(
                Locale.ROOT, "ratio %s: %.1f (%s)%n", name, fastest(product) / fastest(Product.TOOLGATE), bar);
    }

    private double fastest(Product product) {
        return microseconds.entrySet().stream()
                .filter(measured -> measured.getKey().product == product)
                .mapToDouble(Map.Entry::getValue)
                .min()
                .orElseThrow();
    }
}
