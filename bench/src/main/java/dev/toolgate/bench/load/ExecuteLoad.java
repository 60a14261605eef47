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
 * Calls over HTTP at 64 connections, with the load, the server and its database on the same machine. Bars: execute
 * at least 3 times that of a server with one commit per call and at least 0.2 times a bare route of Jetty, 99 of 100
 * answered within 25 ms; validate at least 0.6 times that bare route.
 */
final class ExecuteLoad {
    private static final int CONNECTIONS = 64;
    private static final int WARM_UP = 15; // the compiler is done with everything only after most of a minute
    // As many as the pool has; with 64 connections it was no faster.
    private static final int POOL = 16;
    private static final String BARE = "bare Jetty route, JSON in and out";
    private static final String EXECUTE = "execute: durable, audited";
    private static final String VALIDATE = "validate";
    private static final String ALONE = "execute, one commit per call";
    private static final String EXECUTE_PATH = "/api/v1/tools/execute";

    private final Map<String, Way> ways = new LinkedHashMap<>();
    private final Map<String, List<Turn>> turns = new LinkedHashMap<>();
    private long recorded;

    private record Way(int port, RequestBytes request, boolean records) {}

    /** One way's turn in a round; the processor time is that of one answer, in microseconds. */
    private record Turn(Load.Result load, double own, double database) {
        static Turn of(Load.Result load, ProcessorTime worked) {
            double answers = load.nanos().length * 1e3;
            return new Turn(
                    load, worked.own().toNanos() / answers, worked.database().toNanos() / answers);
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
            load.ways.put(ALONE, new Way(rig.commitPerCall(POOL), rig.request(EXECUTE_PATH), true));
            load.measure(WARM_UP, rounds, turn);
            if (rig.recordedCalls() != load.recorded) {
                throw new IllegalStateException(
                        load.recorded + " calls were answered, but " + rig.recordedCalls() + " are on record.");
            }
        }
        load.print();
    }

    private void measure(int warmUps, int rounds, Duration duration) throws Exception {
        for (int round = -warmUps; round < rounds; round++) {
            for (Map.Entry<String, Way> way : ways.entrySet()) {
                Way what = way.getValue();
                ProcessorTime before = ProcessorTime.now();
                Load.Result result = Load.run(what.port(), what.request(), CONNECTIONS, duration);
                recorded += what.records() ? result.nanos().length : 0;
                if (round >= 0) {
                    turns.computeIfAbsent(way.getKey(), _ -> new ArrayList<>())
                            .add(Turn.of(result, ProcessorTime.now().since(before)));
                }
            }
        }
    }

    private void print() {
        // With more work waiting than there are processors, every elapsed time is too long.
        System.out.printf(
                Locale.ROOT,
                "%nCalls over HTTP at %d connections (load average %.1f on %d processors), and processor time of each%n",
                CONNECTIONS,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
        System.out.printf(
                "  %-36s %9s %9s %9s %14s %9s%n",
                "medians of " + of(BARE).size() + " rounds", "a second", "p50", "p99", "server, load", "database");
        for (String way : turns.keySet()) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-36s %9.0f %6.2f ms %6.2f ms %11.1f us %6.1f us%n",
                    way,
                    median(way, Turn::rate),
                    median(way, turn -> turn.load().millis(50)),
                    median(way, Turn::p99),
                    median(way, Turn::own),
                    median(way, Turn::database));
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

    /** Of the ratios of every round, since what else the machine did in it was much the same for both. */
    private double ratio(String of, String to, ToDoubleFunction<Turn> value) {
        double[] ratios = new double[of(of).size()];
        Arrays.setAll(ratios, round -> value.applyAsDouble(of(of).get(round)) / value.applyAsDouble(of(to).get(round)));
        return median(ratios);
    }

    private List<Turn> of(String way) {
        return turns.getOrDefault(way, List.of());
    }

    private double median(String way, ToDoubleFunction<Turn> value) {
        return median(of(way).stream().mapToDouble(value).toArray());
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
