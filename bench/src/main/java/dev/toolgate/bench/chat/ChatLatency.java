package dev.toolgate.bench.chat;

import dev.toolgate.bench.load.Rig;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Measures the latency from a model's first chunk of text to the client, with model, server and client in this
 * process, and how fast a cancelled answer is stopped. Targets: the median latency of the server is at most 2 ms;
 * cancelled within 100 ms.
 */
final class ChatLatency {
    private static final int WARM_UP = 200;
    private static final long PAUSE_MS = 3; // lets the server block on the network again
    private static final String FIRST_TEXT = "Hello";
    private static final String BRIEF = "brief";
    private static final String ENDLESS = "endless";

    private final BlockingQueue<Long> said = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> cut = new LinkedBlockingQueue<>();
    private final Map<String, Variant> variants = new LinkedHashMap<>();
    private final Map<String, long[]> nanos = new LinkedHashMap<>();
    private int conversations;

    /** Returns when the first chunk of text arrived. */
    @FunctionalInterface
    private interface Variant {
        long seen() throws IOException, InterruptedException;
    }

    private ChatLatency() {}

    /** Optional arguments: the number of conversations per variant, and of cancelled ones. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        int cancels = args.length > 1 ? Integer.parseInt(args[1]) : 200;
        ChatLatency latency = new ChatLatency();
        try (ScriptedModel model = ScriptedModel.start(latency::answer);
                Rig rig = new Rig()) {
            int port = rig.withModels(model.address());
            try (HttpClient http = HttpClient.newHttpClient();
                    SocketClient plain = PlainSocketClient.connect(port, rig.key());
                    SocketClient listener = JdkSocketClient.connect(http, port, rig.key())) {
                latency.variants.put("the model's bytes on a plain socket: the floor", () -> direct(model.port()));
                latency.variants.put("left the server: its frame on a plain socket", () -> latency.through(plain));
                latency.variants.put("with the listener of java.net.http", () -> latency.through(listener));
                latency.measure(rounds);
                latency.print(rounds);
                latency.cancel(listener, cancels);
            }
        }
    }

    private void answer(String request, ModelAnswer answer) throws IOException, InterruptedException {
        answer.begin();
        Thread.sleep(PAUSE_MS);
        said.add(answer.say(FIRST_TEXT));
        if (request.contains(ENDLESS)) {
            cut.add(answer.awaitCut());
        } else {
            answer.end();
        }
    }

    private static long direct(int port) throws IOException {
        byte[] request = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
                .getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request);
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8192];
            StringBuilder read = new StringBuilder();
            long now = 0;
            while (read.indexOf(FIRST_TEXT) < 0) {
                int length = in.read(buffer);
                now = System.nanoTime();
                read.append(new String(buffer, 0, length, StandardCharsets.US_ASCII));
            }
            while (read.indexOf("[DONE]") < 0) {
                read.append(new String(buffer, 0, in.read(buffer), StandardCharsets.US_ASCII));
            }
            return now;
        }
    }

    private long through(SocketClient client) throws IOException, InterruptedException {
        client.send(SocketClient.question("latency-" + conversations++, BRIEF));
        long seen = client.await("chat:text-delta").nanos();
        var _ = client.await("chat:stream-end");
        return seen;
    }

    private void measure(int rounds) throws Exception {
        for (int round = -WARM_UP; round < rounds; round++) {
            for (Map.Entry<String, Variant> variant : variants.entrySet()) {
                long took = variant.getValue().seen() - said.take();
                if (round >= 0) {
                    nanos.computeIfAbsent(variant.getKey(), _ -> new long[rounds])[round] = took;
                }
            }
        }
    }

    private void print(int rounds) {
        System.out.printf(
                Locale.ROOT,
                "%nFrom the model's first piece of text to its reader (load average %.1f on %d processors)%n",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
        System.out.printf("  %-50s %10s %10s %10s%n", rounds + " conversations each, in turn", "median", "p95", "p99");
        nanos.forEach((variant, all) -> {
            Percentiles percentiles = new Percentiles(all);
            System.out.printf(
                    Locale.ROOT,
                    "  %-50s %7.3f ms %7.3f ms %7.3f ms%n",
                    variant,
                    percentiles.millis(50),
                    percentiles.millis(95),
                    percentiles.millis(99));
        });
        System.out.println("bar: left the server within 2 ms of its arrival, in the median");
    }

    private void cancel(SocketClient client, int times) throws IOException, InterruptedException {
        long[] took = new long[times];
        for (int time = -WARM_UP / 10; time < times; time++) {
            String conversation = "cancel-" + time;
            client.send(SocketClient.question(conversation, ENDLESS));
            var _ = client.await("chat:text-delta");
            long before = System.nanoTime();
            client.send(SocketClient.cancel(conversation));
            if (!client.await("chat:stream-end").message().contains("\"partial\":true")) {
                throw new IllegalStateException("A cancelled answer was reported as complete.");
            }
            long closed = cut.take();
            if (time >= 0) {
                took[time] = closed - before;
            }
        }
        Percentiles percentiles = new Percentiles(took);
        System.out.printf(
                Locale.ROOT,
                "from chat:cancel to the model's socket closed, %d times: median %.3f ms, longest %.3f ms"
                        + " (bar: within 100 ms)%n",
                times,
                percentiles.millis(50),
                Arrays.stream(took).max().orElse(0) / 1e6);
    }
}
