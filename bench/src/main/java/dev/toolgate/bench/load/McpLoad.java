package dev.toolgate.bench.load;

import dev.toolgate.bench.NoopTool;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.upstream.Upstream;
import dev.toolgate.runtime.upstream.UpstreamConnectors;
import dev.toolgate.runtime.upstream.UpstreamEndpoint;
import dev.toolgate.runtime.upstream.UpstreamListener;
import dev.toolgate.runtime.upstream.UpstreamSettings;
import dev.toolgate.runtime.upstream.UpstreamTools;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The door for MCP beside the access API, with the same tool, key, grant and durable record. Targets: calls in either era
 * at least 0.9 times as fast as execute; 1,000 tools listed in under 10 ms; 200 sessions with a call a second each leave
 * the memory as it was; the gate before an MCP server adds less than 1 ms to the median call.
 */
final class McpLoad {
    private static final int CONNECTIONS = 64;
    private static final int WARM_UP = 12;
    private static final int TOOLS = 1000;
    private static final int LISTS = 200;
    private static final int SESSIONS = 200;
    static final String MODERN_VERSION = "2026-07-28";
    private static final String LEGACY_VERSION = "2025-11-25";
    private static final String ACCESS = "access: /api/v1/tools/execute";
    private static final String MODERN = "MCP " + MODERN_VERSION + ": tools/call";
    private static final String LEGACY = "MCP " + LEGACY_VERSION + " in a session: tools/call";
    private static final String ACCEPT = "application/json, text/event-stream";
    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":\"" + RequestBytes.FRESH
            + "\",\"method\":\"tools/call\",\"params\":{\"name\":\"TOOL\",\"arguments\":{\"text\":\"hello\"}%s}}";
    private static final String META = ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + MODERN_VERSION
            + "\",\"io.modelcontextprotocol/clientCapabilities\":{},\"io.modelcontextprotocol/clientInfo\":"
            + "{\"name\":\"load\",\"version\":\"1\"}}";

    private final DoorComparison comparison = new DoorComparison();

    private McpLoad() {}

    /**
     * Optional arguments: the number of rounds, the seconds of each variant per round, and {@code servers} to measure
     * only calls of a server behind the gate.
     */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 12;
        Duration turn = Duration.ofSeconds(args.length > 1 ? Integer.parseInt(args[1]) : 1);
        if (args.length < 3 || !args[2].equals("servers")) {
            doors(rounds, turn);
        }
        try (Rig rig = new Rig();
                LocalServer echo = EchoMcpServer.start()) {
            behindTheGate(rig, echo, rounds, turn);
        }
    }

    private static void doors(int rounds, Duration turn) throws Exception {
        McpLoad load = new McpLoad();
        try (Rig rig = new Rig()) {
            int port = rig.defaultServer();
            String session = session(rig, port);
            Map<String, RequestBytes> requests = new LinkedHashMap<>();
            requests.put(ACCESS, rig.request("/api/v1/tools/execute"));
            requests.put(MODERN, rig.request("/mcp", modern("tools/call", "noop"), CALL.formatted(META)));
            requests.put(LEGACY, rig.request("/mcp", legacy(session), CALL.formatted("")));
            load.comparison.measure(port, requests, CONNECTIONS, WARM_UP, rounds, turn);
            load.print();
            sessions(rig, port);
        }
        try (Rig rig = new Rig()) {
            list(rig);
        }
    }

    /** The same call to a server directly and through the gate, which decides about it and records it. */
    private static void behindTheGate(Rig rig, LocalServer echo, int rounds, Duration turn) throws Exception {
        RuntimeSettings settings = RuntimeSettings.of(
                rig.folder().resolve("workspace"), rig.folder().resolve("state"));
        UpstreamSettings server = UpstreamSettings.of(
                "bench",
                new UpstreamEndpoint.Remote(
                        URI.create("http://127.0.0.1:" + echo.port() + "/mcp"),
                        EndpointCheck.LOOPBACK_WITHOUT_TLS,
                        Map.of(),
                        ServerAuthorization.fixed(Map.of())));
        UpstreamConnectors connectors = UpstreamConnectors.of(
                AddressPolicy.publicAnd(List.of("127.0.0.1")),
                rig.folder().resolve("programs"),
                settings.sandboxMode(),
                settings.sandbox(),
                Map::of);
        try (Upstream upstream = new Upstream(server, connectors, UpstreamListener.NONE)) {
            upstream.refresh();
            rig.grant(List.of("bench/echo"));
            int port = rig.withTools(
                    UpstreamTools.of(upstream, upstream.definitions()).tools());
            String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
                    + "\"arguments\":{\"text\":\"" + RequestBytes.FRESH + "\"}" + META + "}}";
            RequestBytes direct = rig.request("/mcp", modern("tools/call", "echo"), call.formatted("echo"));
            RequestBytes gate = rig.request("/mcp", modern("tools/call", "bench__echo"), call.formatted("bench__echo"));
            // One caller makes too few calls for the compiler, so the code is warmed up by many.
            for (int round = 0; round < WARM_UP; round++) {
                Load.run(echo.port(), direct, CONNECTIONS, turn);
                Load.run(port, gate, CONNECTIONS, turn);
            }
            for (int connections : new int[] {1, 8, 32}) {
                List<Load.Result> plain = new ArrayList<>();
                List<Load.Result> gated = new ArrayList<>();
                CpuTime used = new CpuTime(Duration.ZERO, Duration.ZERO);
                for (int round = -1; round < rounds; round++) {
                    Load.Result without = Load.run(echo.port(), direct, connections, turn);
                    CpuTime before = CpuTime.now();
                    Load.Result with = Load.run(port, gate, connections, turn);
                    if (round >= 0) {
                        plain.add(without);
                        gated.add(with);
                        used = used.plus(CpuTime.now().since(before));
                    }
                }
                double calls =
                        gated.stream().mapToInt(result -> result.nanos().length).sum() * 1e3;
                System.out.printf(
                        Locale.ROOT,
                        "%d callers of a server over HTTP: %.0f a second directly (median call %.2f ms), %.0f through"
                                + " the gate (%.2f ms; %.0f us of processors for gate, load and server, %.0f us for the"
                                + " database)%s%n",
                        connections,
                        middle(plain, Load.Result::rate),
                        middle(plain, result -> result.millis(50)),
                        middle(gated, Load.Result::rate),
                        middle(gated, result -> result.millis(50)),
                        used.own().toNanos() / calls,
                        used.database().toNanos() / calls,
                        connections == 1
                                ? String.format(
                                        Locale.ROOT,
                                        ": %.2f ms added (bar: under 1 ms)",
                                        middle(gated, result -> result.millis(50))
                                                - middle(plain, result -> result.millis(50)))
                                : "");
            }
        }
    }

    private static double middle(List<Load.Result> results, ToDoubleFunction<Load.Result> value) {
        double[] values = results.stream().mapToDouble(value).sorted().toArray();
        return values[values.length / 2];
    }

    private static Map<String, String> modern(String method, String name) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Accept", ACCEPT);
        headers.put("MCP-Protocol-Version", MODERN_VERSION);
        headers.put("Mcp-Method", method);
        if (!name.isEmpty()) {
            headers.put("Mcp-Name", name);
        }
        return headers;
    }

    private static Map<String, String> legacy(String session) {
        return Map.of("Accept", ACCEPT, "MCP-Protocol-Version", LEGACY_VERSION, "Mcp-Session-Id", session);
    }

    private static String session(Rig rig, int port) throws Exception {
        HttpResponse<String> begun = post(
                rig,
                port,
                Map.of("Accept", ACCEPT),
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\""
                        + LEGACY_VERSION
                        + "\",\"capabilities\":{},\"clientInfo\":{\"name\":\"load\",\"version\":\"1\"}}}");
        return begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
    }

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static HttpResponse<String> post(Rig rig, int port, Map<String, String> headers, String body)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/mcp"))
                .header("Authorization", "Bearer " + rig.key())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        headers.forEach(request::header);
        HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(response.statusCode() + ": " + response.body());
        }
        return response;
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%nThe same call over MCP at %d connections (load average %.1f on %d processors)%n",
                CONNECTIONS,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
        for (String door : comparison.doors()) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-42s %8.0f a second %8.1f us of processors%n",
                    door,
                    1e6 / comparison.median(door, DoorComparison.Sample::elapsed),
                    comparison.median(door, DoorComparison.Sample::processor));
        }
        ratio(MODERN);
        ratio(LEGACY);
    }

    private void ratio(String variant) {
        System.out.printf(
                Locale.ROOT,
                "ratio %s / execute: %.2f (bar: at least 0.9), by processor time %.2f%n",
                variant,
                comparison.ratio(ACCESS, variant, DoorComparison.Sample::elapsed),
                comparison.ratio(ACCESS, variant, DoorComparison.Sample::processor));
    }

    /** Sessions that call once a second each; the memory in use afterwards is that of before. */
    private static void sessions(Rig rig, int port) throws Exception {
        List<String> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(session(rig, port));
        }
        callOnceASecond(rig, port, sessions, 5);
        long before = memory();
        callOnceASecond(rig, port, sessions, 20);
        System.out.printf(
                Locale.ROOT,
                "%n%d sessions, a call a second each: %.1f MB in use before and %.1f MB after 20 seconds%n",
                SESSIONS,
                before / 1e6,
                memory() / 1e6);
    }

    private static void callOnceASecond(Rig rig, int port, List<String> sessions, int seconds) throws Exception {
        CountDownLatch over = new CountDownLatch(sessions.size());
        AtomicReference<@Nullable Exception> failed = new AtomicReference<>();
        for (int i = 0; i < sessions.size(); i++) {
            String session = sessions.get(i);
            long first = System.nanoTime() + i * 1_000_000_000L / sessions.size();
            Thread.ofVirtual().start(() -> {
                try {
                    for (int call = 0; call < seconds; call++) {
                        Thread.sleep(Duration.ofNanos(Math.max(0, first + call * 1_000_000_000L - System.nanoTime())));
                        post(rig, port, legacy(session), CALL.formatted("").replace("TOOL", "noop"));
                    }
                } catch (Exception broken) {
                    failed.set(broken);
                } finally {
                    over.countDown();
                }
            });
        }
        over.await();
        if (failed.get() != null) {
            throw failed.get();
        }
    }

    private static long memory() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** A tool like any other, of which there are many. */
    private record Numbered(ToolSpec<NoopTool.Arguments> spec) implements Tool<NoopTool.Arguments> {
        static Numbered of(int number) {
            return new Numbered(ToolSpec.of(
                    "numbered_" + number,
                    NoopTool.Arguments.class,
                    Category.EXEC,
                    "Noop.Run",
                    "Does nothing, as number " + number + " of many"));
        }

        @Override
        public Output call(NoopTool.Arguments arguments, ToolContext context) {
            return Output.text("");
        }
    }

    private static void list(Rig rig) throws Exception {
        List<Numbered> tools =
                IntStream.range(0, TOOLS - 1).mapToObj(Numbered::of).toList();
        rig.grant(tools.stream().map(tool -> tool.spec().name()).toList());
        int port = rig.withTools(tools);
        String body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" + META.substring(1) + "}}";
        long[] nanos = new long[LISTS];
        for (int i = -LISTS; i < LISTS; i++) {
            long start = System.nanoTime();
            String listed = post(rig, port, modern("tools/list", ""), body).body();
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
            if (!listed.contains("numbered_" + (TOOLS - 2))) {
                throw new IllegalStateException("The list is incomplete: " + listed.length() + " characters.");
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "%n%,d tools listed in %.1f ms (median of %d; bar: under 10 ms)%n",
                TOOLS,
                nanos[LISTS / 2] / 1e6,
                LISTS);
    }
}
