package dev.toolgate.bench.load;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Calls over HTTP at 64 connections, with the load, the server and its database on the same machine. Bars: execute
 * at least 3 times that of a server with one commit per call and at least 0.2 times a bare route of Jetty, 99 of 100
 * answered within 25 ms; validate at least 0.6 times that bare route.
 */
final class ExecuteLoad {
    private static final int CONNECTIONS = 64;
    private static final String BARE = "bare Jetty route, JSON in and out";
    private static final String EXECUTE = "execute: durable, audited";
    private static final String VALIDATE = "validate";
    private static final String EXECUTE_PATH = "/api/v1/tools/execute";

    private final Map<String, Way> ways = new LinkedHashMap<>();
    private final Map<String, List<Load.Result>> results = new LinkedHashMap<>();
    private long recorded;

    private record Way(int port, RequestBytes request, boolean records) {}

    private ExecuteLoad() {}

    /** Arguments, if any: rounds, and seconds that each way has in each of them. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        Duration turn = Duration.ofSeconds(args.length > 1 ? Integer.parseInt(args[1]) : 3);
        ExecuteLoad load = new ExecuteLoad();
        try (Rig rig = new Rig();
                BareRoute bare = new BareRoute()) {
            int usual = rig.usual();
            load.ways.put(BARE, new Way(bare.port(), rig.request(EXECUTE_PATH), false));
            load.ways.put(EXECUTE, new Way(usual, rig.request(EXECUTE_PATH), true));
            load.ways.put(VALIDATE, new Way(usual, rig.request("/api/v1/tools/validate"), false));
            for (int connections : new int[] {Integer.getInteger("alone", 16)}) {
                load.ways.put(
                        alone(connections), new Way(rig.commitPerCall(connections), rig.request(EXECUTE_PATH), true));
            }
            load.measure(3, rounds, turn);
            if (rig.recordedCalls() != load.recorded) {
                throw new IllegalStateException(
                        load.recorded + " calls were answered, but " + rig.recordedCalls() + " are on record.");
            }
        }
        load.print();
    }

    private static String alone(int connections) {
        return "execute, one commit per call, " + connections + " connections";
    }

    private void measure(int warmUps, int rounds, Duration turn) throws Exception {
        for (int round = -warmUps; round < rounds; round++) {
            for (Map.Entry<String, Way> way : ways.entrySet()) {
                Way what = way.getValue();
                Load.Result result = Load.run(what.port(), what.request(), CONNECTIONS, turn);
                recorded += what.records() ? result.nanos().length : 0;
                if (round >= 0) {
                    results.computeIfAbsent(way.getKey(), _ -> new ArrayList<>())
                            .add(result);
                }
            }
        }
    }

    private void print() {
        // With more work waiting than there are processors, every elapsed time is too long.
        System.out.printf(
                Locale.ROOT,
                "%nCalls over HTTP at %d connections (load average %.1f on %d processors)%n  %-44s %12s %9s %9s%n",
                CONNECTIONS,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors(),
                "medians of " + rounds(BARE).size() + " rounds",
                "a second",
                "p50",
                "p99");
        results.forEach((name, rounds) -> System.out.printf(
                Locale.ROOT,
                "  %-44s %12.0f %6.2f ms %6.2f ms   %5.2f x%n",
                name,
                median(name, Load.Result::rate),
                median(name, round -> round.millis(50)),
                median(name, round -> round.millis(99)),
                ratio(name, BARE)));
        System.out.println();
        String alone = results.keySet().stream()
                .filter(name -> name.contains("one commit"))
                .max(Comparator.comparing(name -> median(name, Load.Result::rate)))
                .orElseThrow();
        bar("execute / one commit per call, the faster one", ratio(EXECUTE, alone), "at least 3");
        bar("execute / bare route", ratio(EXECUTE, BARE), "at least 0.2");
        bar("validate / bare route", ratio(VALIDATE, BARE), "at least 0.6");
        bar("p99 of execute in milliseconds", median(EXECUTE, round -> round.millis(99)), "under 25");
    }

    private static void bar(String what, double measured, String bar) {
        System.out.printf(Locale.ROOT, "%s: %.2f (bar: %s)%n", what, measured, bar);
    }

    private List<Load.Result> rounds(String way) {
        return results.getOrDefault(way, List.of());
    }

    /** Of the ratios of every round, since what else the machine did in it was the same for both. */
    private double ratio(String of, String to) {
        double[] ratios = new double[rounds(of).size()];
        Arrays.setAll(
                ratios,
                round -> rounds(of).get(round).rate() / rounds(to).get(round).rate());
        return median(ratios);
    }

    private double median(String way, ToDoubleFunction<Load.Result> value) {
        return median(rounds(way).stream().mapToDouble(value).toArray());
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
