package dev.toolgate.bench.chat;

import dev.toolgate.bench.load.Rig;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Streams 200 concurrent answers with 50 chunks of text a second each through a server with a heap of 400 MB that
 * shares the CPUs with the model and the clients. Target: no text is lost, and the heap is sufficient.
 */
final class ChatLoad {
    private static final int CONVERSATIONS = 200;
    private static final String HEAP = "400m";

    private final Rig rig;
    private final HttpClient http;
    private final ServerProcess server;
    private final PacedModel model;

    private ChatLoad(Rig rig, HttpClient http, ServerProcess server, PacedModel model) {
        this.rig = rig;
        this.http = http;
        this.server = server;
        this.model = model;
    }

    /** Optional arguments: the seconds of the first round with a cold server, and of the second round. */
    public static void main(String[] args) throws Exception {
        int cold = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        int warm = args.length > 1 ? Integer.parseInt(args[1]) : 30;
        PacedModel paced = new PacedModel(CONVERSATIONS);
        Path home = Files.createTempDirectory("bench-chat-");
        try (ScriptedModel model = ScriptedModel.start(paced);
                Rig rig = new Rig();
                ServerProcess server = ServerProcess.start(
                        HEAP,
                        home,
                        Map.of(
                                "DATABASE_URL",
                                rig.databaseUrl(),
                                "OPENAI_BASE_URL",
                                model.address().toString()));
                // One thread for all clients, because they share the machine with the server.
                HttpClient http = HttpClient.newBuilder()
                        .executor(Executors.newSingleThreadExecutor(
                                Thread.ofPlatform().daemon().factory()))
                        .build()) {
            System.out.printf(
                    Locale.ROOT,
                    "%n%d conversations at %d pieces of text a second each; model, clients, server and database on %d"
                            + " processors (load average %.1f)%n",
                    CONVERSATIONS,
                    PacedModel.PER_SECOND,
                    Runtime.getRuntime().availableProcessors(),
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
            ChatLoad load = new ChatLoad(rig, http, server, paced);
            load.round(cold).print("the server just started, " + cold + " s");
            load.round(warm).print("after that, " + warm + " s");
            System.out.println("bar: no text lost, all ended properly, none closed, under 400 MB of heap");
        } finally {
            try (Stream<Path> files = Files.walk(home)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private LoadResult round(int seconds) throws InterruptedException {
        model.prepare(seconds);
        List<TextReader> readers = IntStream.range(0, CONVERSATIONS)
                .mapToObj(i -> new TextReader(model.text(i), model.saidAt(i)))
                .toList();
        List<WebSocket> sockets = readers.stream()
                .map(reader -> JdkSocketClient.open(http, server.port(), rig.key(), reader))
                .toList();
        for (int i = 0; i < CONVERSATIONS; i++) {
            var _ = sockets.get(i)
                    .sendText(SocketClient.question("load-" + i, PacedModel.NAME + i), true)
                    .join();
        }
        model.awaitAsked();
        ResourceMonitor monitor = new ResourceMonitor(server);
        model.speak();
        LoadResult.Used used = monitor.end();
        model.end();
        readers.forEach(reader ->
                reader.end().completeOnTimeout("no end", 30, TimeUnit.SECONDS).join());
        LoadResult result = LoadResult.of(readers, model, used);
        sockets.forEach(WebSocket::abort);
        return result;
    }
}
