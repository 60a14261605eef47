package dev.toolgate.bench.decision;

import dev.toolgate.bench.decision.Variant.Product;
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

/** Runs {@link DecisionBenchmark} and prints the ratios of its variants. */
final class DecisionRatios {
    private final Map<Variant, Microseconds> measured = new EnumMap<>(Variant.class);

    /**
     * The time of one decision.
     *
     * @param elapsed the median of the iterations
     * @param cpuTime the CPU time
     */
    private record Microseconds(double elapsed, double cpuTime) {
        static Microseconds of(RunResult result) {
            return new Microseconds(
                    result.getPrimaryResult().getStatistics().getPercentile(50),
                    counted(result, "nanos") / counted(result, "questions") / 1000);
        }

        /** From {@link CpuTimeCounter}. */
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
            ratios.measured.put(Variant.valueOf(result.getParams().getParam("variant")), Microseconds.of(result));
        }
        ratios.print();
    }

    private void print() {
        // If the load exceeds the number of CPUs, elapsed times are too long.
        OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
        System.out.printf(
                Locale.ROOT,
                "%nMay this agent use this tool? (load average %.1f on %d processors)%n  %-44s %15s %12s%n",
                machine.getSystemLoadAverage(),
                machine.getAvailableProcessors(),
                "",
                "elapsed",
                "processor");
        measured.forEach((variant, time) -> System.out.printf(
                Locale.ROOT, "  %-44s %12.3f us %9.3f us%n", variant.title, time.elapsed(), time.cpuTime()));
        System.out.println();
        System.out.printf(
                Locale.ROOT,
                "microseconds of a decision: %.3f (bar: at most 1), processor time %.3f%n",
                fastest(Product.TOOLGATE, Microseconds::elapsed),
                fastest(Product.TOOLGATE, Microseconds::cpuTime));
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
                ratio(product, Microseconds::cpuTime));
    }

    private double ratio(Product product, ToDoubleFunction<Microseconds> time) {
        return fastest(product, time) / fastest(Product.TOOLGATE, time);
    }

    private double fastest(Product product, ToDoubleFunction<Microseconds> time) {
        return measured.entrySet().stream()
                .filter(variant -> variant.getKey().product == product)
                .mapToDouble(variant -> time.applyAsDouble(variant.getValue()))
                .min()
                .orElseThrow();
    }
}
