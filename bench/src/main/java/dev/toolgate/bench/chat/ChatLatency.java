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
 * How long the first piece of a model's text takes to its reader, the model, the server and the reader being in this one
 * process; and how long a cancelled answer takes to be cut. Bars: out of the server within 2 ms of its arrival, in the
 * median; cut within 100 ms.
 */
final class ChatLatency {
    private static final int WARM_UP = 200;
    private static final long PAUSE_MS = 3; // until the server waits for the network again
    private static final String FIRST_TEXT = "Hello";
    private static final String BRIEF = "brief";
    private static final String ENDLESS = "endless";

    private final BlockingQueue<Long> said = new LinkedBlockingQueue<>();
    private final BlockingQueue<Long> cut = new LinkedBlockingQueue<>();
    private final Map<String, Way> ways = new LinkedHashMap<>();
    private final Map<String, long[]> nanos = new LinkedHashMap<>();
    private int conversations;

    /** When the first piece of text was there. */
    @FunctionalInterface
    private interface Way {
        long seen() throws IOException, InterruptedException;
    }

    private ChatLatency() {}

    /** Arguments, if any: conversations by each way, and how many are cancelled. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 500;
        int cancels = args.length > 1 ? Integer.parseInt(args[1]) : 200;
        ChatLatency latency = new ChatLatency();
        try (ScriptedModel model = ScriptedModel.start(latency::answer);
                Rig rig = new Rig()) {
            int port = rig.withModels(model.address());
            try (HttpClient http = HttpClient.newHttpClient();
                    ClientEnd plain = PlainEnd.connect(port, rig.key());
                    ClientEnd listener = ListenerEnd.connect(http, port, rig.key())) {
                latency.ways.put("the model's bytes on a plain socket: the floor", () -> direct(model.port()));
                latency.ways.put("left the server: its frame on a plain socket", () -> latency.through(plain));
                latency.ways.put("with the listener of java.net.http", () -> latency.through(listener));
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

    private long through(ClientEnd client) throws IOException, InterruptedException {
        client.send(ClientEnd.question("latency-" + conversations++, BRIEF));
        long seen = client.await("chat:text-delta").nanos();
        var _ = client.await("chat:stream-end");
        return seen;
    }

    private void measure(int rounds) throws Exception {
        for (int round = -WARM_UP; round < rounds; round++) {
            for (Map.Entry<String, Way> way : ways.entrySet()) {
                long took = way.getValue().seen() - said.take();
                if (round >= 0) {
                    nanos.computeIfAbsent(way.getKey(), _ -> new long[rounds])[round] = took;
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
        nanos.forEach((way, all) -> {
            Spread spread = new Spread(all);
            System.out.printf(
                    Locale.ROOT,
                    "  %-50s %7.3f ms %7.3f ms %7.3f ms%n",
                    way,
                    spread.millis(50),
                    spread.millis(95),
                    spread.millis(99));
        });
        System.out.println("bar: left the server within 2 ms of its arrival, in the median");
    }

    private void cancel(ClientEnd client, int times) throws IOException, InterruptedException {
        long[] took = new long[times];
        for (int time = -WARM_UP / 10; time < times; time++) {
            String conversation = "cancel-" + time;
            client.send(ClientEnd.question(conversation, ENDLESS));
            var _ = client.await("chat:text-delta");
            long before = System.nanoTime();
            client.send(ClientEnd.cancel(conversation));
            if (!client.await("chat:stream-end").message().contains("\"partial\":true")) {
                throw new IllegalStateException("A cancelled answer was called whole.");
            }
            long closed = cut.take();
            if (time >= 0) {
                took[time] = closed - before;
            }
        }
        Spread spread = new Spread(took);
        System.out.printf(
                Locale.ROOT,
                "from chat:cancel to the model's socket closed, %d times: median %.3f ms, longest %.3f ms"
                        + " (bar: within 100 ms)%n",
                times,
                spread.millis(50),
                Arrays.stream(took).max().orElse(0) / 1e6);
    }
}
