package dev.toolgate.bench.load;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Makes the same calls through every door, alternately. Targets: through the tool backend and backend tools doors a
 * call takes at most 1.05 times as long as through the access API, comparing calls in a session with each other. A call
 * in a session takes at most 1.3 times as long as one without. A permit with its report takes at most 2.2 times as long as
 * a call that the gate runs.
 */
final class DialectOverhead {
    private static final int CONNECTIONS = 64;
    private static final int WARM_UP = 10;
    private static final String SESSION = "bench-session";
    private static final String ACCESS = "access: /api/v1/tools/execute";
    private static final String TOOL_BACKEND = "tool backend: /execute-tool";
    private static final String ACCESS_IN_SESSION = "access, in a session";
    private static final String PERMIT = "permit and report: authorize, outcome";
    private static final String BACKEND_TOOLS = "backend tools: /tools/…/invoke";

    private final DoorComparison comparison = new DoorComparison();

    private DialectOverhead() {}

    /** Optional arguments: the number of rounds, and the seconds of each variant per round. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 15;
        Duration turn = Duration.ofSeconds(args.length > 1 ? Integer.parseInt(args[1]) : 1);
        DialectOverhead overhead = new DialectOverhead();
        try (Rig rig = new Rig()) {
            rig.startSession(SESSION);
            int port = rig.withUnregisteredTools();
            overhead.comparison.measure(port, requests(rig), CONNECTIONS, WARM_UP, rounds, turn);
        }
        overhead.print();
    }

    private static Map<String, Supplier<RequestSequence>> requests(Rig rig) {
        String access = "{\"request_id\":\"" + RequestBytes.FRESH + "\",\"agent_id\":\"AGENT\",\"tool_name\":\"TOOL\","
                + "\"operation\":\"execute\",\"parameters\":{\"text\":\"hello\"}";
        Map<String, Supplier<RequestSequence>> requests = new LinkedHashMap<>();
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
        requests.put(PERMIT, () -> new PermitRequests(rig));
        return requests;
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%nThe same call by every door at %d connections (load average %.1f on %d processors)%n",
                CONNECTIONS,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
        for (String door : comparison.doors()) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-34s %8.1f us elapsed %8.1f us of processors%n",
                    door,
                    comparison.median(door, DoorComparison.Sample::elapsed),
                    comparison.median(door, DoorComparison.Sample::processor));
        }
        System.out.println();
        ratio("tool backend / access", TOOL_BACKEND, ACCESS, 1.05);
        ratio("backend tools / access in a session", BACKEND_TOOLS, ACCESS_IN_SESSION, 1.05);
        ratio("access in a session / access", ACCESS_IN_SESSION, ACCESS, 1.3);
        ratio("backend tools / access", BACKEND_TOOLS, ACCESS, 1.3);
        // The times are those of one request, and a permit needs two.
        ratio("half of permit and report / access", PERMIT, ACCESS, 1.1);
    }

    private void ratio(String name, String of, String to, double bar) {
        System.out.printf(
                Locale.ROOT,
                "ratio %s: %.3f (bar: at most %.2f), by processor time %.3f%n",
                name,
                comparison.ratio(of, to, DoorComparison.Sample::elapsed),
                bar,
                comparison.ratio(of, to, DoorComparison.Sample::processor));
    }
}
