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
 * The same calls by every door, in turn. Bar: by the doors of the tool backend and of the backend tool service a call
 * takes at most 1.05 times as long as by the access API; a call in a session is held against a call in a session. A call
 * in a session takes at most 1.3 times as long as one without.
 */
final class DialectOverhead {
    private static final int CONNECTIONS = 64;
    private static final int WARM_UP = 10;
    private static final String SESSION = "bench-session";
    private static final String ACCESS = "access: /api/v1/tools/execute";
    private static final String TOOL_BACKEND = "tool backend: /execute-tool";
    private static final String ACCESS_IN_SESSION = "access, in a session";
    private static final String BACKEND_TOOLS = "backend tools: /tools/…/invoke";

    private final Map<String, List<Turn>> turns = new LinkedHashMap<>();

    /** One way's turn in a round; the processor time is that of one answer, in microseconds. */
    private record Turn(double elapsed, double processor) {
        static Turn of(Load.Result load, ProcessorTime worked) {
            return new Turn(
                    1e6 / load.rate(), worked.own().plus(worked.database()).toNanos() / 1e3 / load.nanos().length);
        }
    }

    private DialectOverhead() {}

    /** Arguments, if any: rounds, and seconds that each way has in each of them. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 15;
        Duration turn = Duration.ofSeconds(args.length > 1 ? Integer.parseInt(args[1]) : 1);
        DialectOverhead overhead = new DialectOverhead();
        try (Rig rig = new Rig()) {
            rig.startSession(SESSION);
            int port = rig.usual();
            overhead.measure(port, requests(rig), rounds, turn);
        }
        overhead.print();
    }

    private static Map<String, RequestBytes> requests(Rig rig) {
        String access = "{\"request_id\":\"" + RequestBytes.FRESH + "\",\"agent_id\":\"AGENT\",\"tool_name\":\"TOOL\","
                + "\"operation\":\"execute\",\"parameters\":{\"text\":\"hello\"}";
        Map<String, RequestBytes> requests = new LinkedHashMap<>();
        requests.put(ACCESS, rig.request("/api/v1/tools/execute", access + "}"));
        requests.put(
                TOOL_BACKEND,
                rig.request(
                        "/execute-tool",
                        "{\"tool\":\"TOOL\",\"args\":{\"text\":\"hello\"},\"correlationId\":\"" + RequestBytes.FRESH
                                + "\"}"));
        requests.put(
                ACCESS_IN_SESSION,
                rig.request("/api/v1/tools/execute", access + ",\"session_id\":\"" + SESSION + "\"}"));
        requests.put(
                BACKEND_TOOLS,
                rig.request(
                        "/tools/noop/invoke",
                        "{\"sessionId\":\"" + SESSION + "\",\"taskId\":\"task\",\"stepId\":\"" + RequestBytes.FRESH
                                + "\",\"workspaceId\":\"ws\",\"toolName\":\"TOOL\",\"arguments\":{\"text\":\"hello\"}}"));
        return requests;
    }

    private void measure(int port, Map<String, RequestBytes> requests, int rounds, Duration turn) throws Exception {
        for (int round = -WARM_UP; round < rounds; round++) {
            for (Map.Entry<String, RequestBytes> way : requests.entrySet()) {
                ProcessorTime before = ProcessorTime.now();
                Load.Result result = Load.run(port, way.getValue(), CONNECTIONS, turn);
                if (round >= 0) {
                    turns.computeIfAbsent(way.getKey(), _ -> new ArrayList<>())
                            .add(Turn.of(result, ProcessorTime.now().since(before)));
                }
            }
        }
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%nThe same call by every door at %d connections (load average %.1f on %d processors)%n",
                CONNECTIONS,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
        turns.forEach((way, all) -> System.out.printf(
                Locale.ROOT,
                "  %-34s %8.1f us elapsed %8.1f us of processors%n",
                way,
                median(all.stream().mapToDouble(Turn::elapsed).toArray()),
                median(all.stream().mapToDouble(Turn::processor).toArray())));
        System.out.println();
        ratio("tool backend / access", TOOL_BACKEND, ACCESS, 1.05);
        ratio("backend tools / access in a session", BACKEND_TOOLS, ACCESS_IN_SESSION, 1.05);
        ratio("access in a session / access", ACCESS_IN_SESSION, ACCESS, 1.3);
        ratio("backend tools / access", BACKEND_TOOLS, ACCESS, 1.3);
    }

    private void ratio(String name, String of, String to, double bar) {
        System.out.printf(
                Locale.ROOT,
                "ratio %s: %.3f (bar: at most %.2f), by processor time %.3f%n",
                name,
                ratio(of, to, Turn::elapsed),
                bar,
                ratio(of, to, Turn::processor));
    }

    /** Of the ratios of every round, since what else the machine did in it was much the same for both. */
    private double ratio(String of, String to, ToDoubleFunction<Turn> value) {
        List<Turn> one = turns.getOrDefault(of, List.of());
        List<Turn> other = turns.getOrDefault(to, List.of());
        double[] ratios = new double[one.size()];
        Arrays.setAll(ratios, round -> value.applyAsDouble(one.get(round)) / value.applyAsDouble(other.get(round)));
        return median(ratios);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
