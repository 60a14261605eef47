package dev.toolgate.bench.decision;

import dev.toolgate.bench.decision.Way.Product;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs {@link DecisionBenchmark} and prints how the ways compare. */
final class DecisionRatios {
    private final Map<Way, Microseconds> measured = new EnumMap<>(Way.class);

    /**
     * What a decision takes.
     *
     * @param elapsed the median of the iterations
     * @param worked what a processor did for it
     */
    private record Microseconds(double elapsed, double worked) {
        static Microseconds of(RunResult result) {
            return new Microseconds(
                    result.getPrimaryResult().getStatistics().getPercentile(50),
                    counted(result, "nanos") / counted(result, "questions") / 1000);
        }

        /** From {@link ProcessorTime}. */
        private static double counted(RunResult result, String counter) {
            return Objects.requireNonNull(result.getSecondaryResults().get(counter))
                    .getScore();
        }
    }

    private DecisionRatios() {}

    public static void main(String[] args) throws Exception {
        DecisionRatios ratios = new DecisionRatios();
        for (RunResult result : new Runner(new OptionsBuilder()
                        .include(DecisionBenchmark.class.getName())
                        .shouldFailOnError(true)
                        .build())
                .run()) {
            ratios.measured.put(Way.valueOf(result.getParams().getParam("way")), Microseconds.of(result));
        }
        ratios.print();
    }

    private void print() {
        // With more work waiting than there are processors, every elapsed time is too long.
        OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
        System.out.printf(
                Locale.ROOT,
                "%nMay this agent use this tool? (load average %.1f on %d processors)%n  %-44s %15s %12s%n",
                machine.getSystemLoadAverage(),
                machine.getAvailableProcessors(),
                "",
                "elapsed",
                "processor");
        measured.forEach((way, time) -> System.out.printf(
                Locale.ROOT, "  %-44s %12.3f us %9.3f us%n", way.title, time.elapsed(), time.worked()));
        System.out.println();
        System.out.printf(
                Locale.ROOT,
                "microseconds of a decision: %.3f (bar: at most 1), processor time %.3f%n",
                fastest(Product.TOOLGATE, Microseconds::elapsed),
                fastest(Product.TOOLGATE, Microseconds::worked));
        ratio("fastest jCasbin / Toolgate", Product.JCASBIN, "bar: at least 10");
        ratio("fastest Cedar / Toolgate", Product.CEDAR, "bar: at least 10");
        ratio("jCasbin's cache alone / Toolgate", Product.JCASBIN_CACHE, "no bar: nothing is decided");
    }

    private void ratio(String name, Product product, String bar) {
        System.out.printf(
                Locale.ROOT,
                "ratio %s: %.1f (%s), of processor time %.1f%n",
                name,
                ratio(product, Microseconds::elapsed),
                bar,
                ratio(product, Microseconds::worked));
    }

    private double ratio(Product product, ToDoubleFunction<Microseconds> time) {
        return fastest(product, time) / fastest(Product.TOOLGATE, time);
    }

    private double fastest(Product product, ToDoubleFunction<Microseconds> time) {
        return measured.entrySet().stream()
                .filter(way -> way.getKey().product == product)
                .mapToDouble(way -> time.applyAsDouble(way.getValue()))
                .min()
                .orElseThrow();
    }
}
