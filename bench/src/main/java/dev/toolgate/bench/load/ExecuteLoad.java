package dev.toolgate.bench.load;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Calls over HTTP with 64 connections, with load generator, server and database on the same machine. Targets: the rate
 * of execute is at least 3 times that of a server with one commit per call and at least 0.2 times that of a bare Jetty
 * route, with a p99 of 25 ms; validate at least 0.6 times that bare route.
 */
final class ExecuteLoad {
    private static final int CONNECTIONS = 64;
    private static final int WARM_UP = 15; // JIT compilation takes most of a minute
    // The size of the pool; 64 connections were not faster.
    private static final int POOL = 16;
    private static final String BARE = "bare Jetty route, JSON in and out";
    private static final String EXECUTE = "execute: durable, audited";
    private static final String VALIDATE = "validate";
    private static final String ALONE = "execute, one commit per call";
    private static final String EXECUTE_PATH = "/api/v1/tools/execute";

    private final Map<String, Variant> variants = new LinkedHashMap<>();
    private final Map<String, List<Turn>> turns = new LinkedHashMap<>();
    private long recorded;

    private record Variant(int port, RequestBytes request, boolean records) {}

    /** One variant in one round; CPU time per response, in microseconds. */
    private record Turn(Load.Result load, double own, double database) {
        static Turn of(Load.Result load, CpuTime cpuTime) {
            double answers = load.nanos().length * 1e3;
            return new Turn(
                    load, cpuTime.own().toNanos() / answers, cpuTime.database().toNanos() / answers);
        }

        double rate() {
            return load.rate();
        }

        double p99() {
            return load.millis(99);
        }

        double processor() {
            return own + database;
        }
    }

    private ExecuteLoad() {}

    /** Optional arguments: the number of rounds, and the seconds of each variant per round. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        Duration turn = Duration.ofSeconds(args.length > 1 ? Integer.parseInt(args[1]) : 3);
        ExecuteLoad load = new ExecuteLoad();
        try (Rig rig = new Rig();
                LocalServer bare = BareRoute.start()) {
            int port = rig.defaultServer();
            load.variants.put(BARE, new Variant(bare.port(), rig.request(EXECUTE_PATH), false));
            load.variants.put(EXECUTE, new Variant(port, rig.request(EXECUTE_PATH), true));
            load.variants.put(VALIDATE, new Variant(port, rig.request("/api/v1/tools/validate"), false));
            load.variants.put(ALONE, new Variant(rig.commitPerCall(POOL), rig.request(EXECUTE_PATH), true));
            load.measure(WARM_UP, rounds, turn);
            if (rig.recordedCalls() != load.recorded) {
                throw new IllegalStateException(
                        load.recorded + " calls were answered, but " + rig.recordedCalls() + " were recorded.");
            }
        }
        load.print();
    }

    private void measure(int warmUps, int rounds, Duration duration) throws Exception {
        for (int round = -warmUps; round < rounds; round++) {
            for (Map.Entry<String, Variant> variant : variants.entrySet()) {
                Variant what = variant.getValue();
                CpuTime before = CpuTime.now();
                Load.Result result = Load.run(what.port(), what.request(), CONNECTIONS, duration);
                recorded += what.records() ? result.nanos().length : 0;
                if (round >= 0) {
                    turns.computeIfAbsent(variant.getKey(), _ -> new ArrayList<>())
                            .add(Turn.of(result, CpuTime.now().since(before)));
                }
            }
        }
    }

    private void print() {
        // If the load exceeds the number of CPUs, elapsed times are too long.
        System.out.printf(
                Locale.ROOT,
                "%nCalls over HTTP at %d connections (load average %.1f on %d processors), and processor time of each%n",
                CONNECTIONS,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
        System.out.printf(
                "  %-36s %9s %9s %9s %14s %9s%n",
                "medians of " + of(BARE).size() + " rounds", "a second", "p50", "p99", "server, load", "database");
        for (String variant : turns.keySet()) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-36s %9.0f %6.2f ms %6.2f ms %11.1f us %6.1f us%n",
                    variant,
                    median(variant, Turn::rate),
                    median(variant, turn -> turn.load().millis(50)),
                    median(variant, Turn::p99),
                    median(variant, Turn::own),
                    median(variant, Turn::database));
        }
        System.out.println();
        ratio("execute / one commit per call", EXECUTE, ALONE, "at least 3");
        ratio("execute / bare route", EXECUTE, BARE, "at least 0.2");
        ratio("validate / bare route", VALIDATE, BARE, "at least 0.6");
        System.out.printf(Locale.ROOT, "p99 of execute: %.1f ms (bar: under 25 ms)%n", median(EXECUTE, Turn::p99));
    }

    private void ratio(String name, String of, String to, String bar) {
        System.out.printf(
                Locale.ROOT,
                "ratio %s: %.2f (bar: %s), by processor time %.2f%n",
                name,
                ratio(of, to, Turn::rate),
                bar,
                ratio(to, of, Turn::processor));
    }

    /** The median of the ratios per round, because the other load in a round is about the same for both. */
    private double ratio(String of, String to, ToDoubleFunction<Turn> value) {
        double[] ratios = new double[of(of).size()];
        Arrays.setAll(ratios, round -> value.applyAsDouble(of(of).get(round)) / value.applyAsDouble(of(to).get(round)));
        return median(ratios);
    }

    private List<Turn> of(String variant) {
        return turns.getOrDefault(variant, List.of());
    }

    private double median(String variant, ToDoubleFunction<Turn> value) {
        return median(of(variant).stream().mapToDouble(value).toArray());
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
